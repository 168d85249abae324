package io.sigma.controlplane.resource;

import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.history.ResourceReader;
import io.sigma.json.Json;
import io.sigma.model.FieldError;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Finds all that is wrong with changes that shall be made together, and tells it where the caller knows it. Confined to
 * one write.
 */
final class ChangeCheck {

    private final List<EntityChange> changes;
    private final BiFunction<EntityChange, FieldError, FieldError> shown;
    private final List<FieldError> errors = new ArrayList<>();

    /** @param shown returns what is wrong with a resource, with a pointer into that, as the caller knows it */
    ChangeCheck(List<EntityChange> changes, BiFunction<EntityChange, FieldError, FieldError> shown) {
        this.changes = changes;
        this.shown = shown;
    }

    /** Looks at each resource by itself, which did not come as a body of its own. */
    ChangeCheck contents(ResourceAdmission admission) {
        for (EntityChange change : changes) {
            if (change.resource() != null) {
                admission
                        .findings(ResourceType.of(change.kind()), change.resource(), Json.tree(change.resource()))
                        .forEach(error -> errors.add(shown.apply(change, error)));
            }
        }
        return this;
    }

    /** @throws FailureException when others refer to what is deleted */
    ChangeCheck surroundings(ResourceReader reader) {
        Surroundings.check(
                reader, changes, (change, error) -> errors.add(shown.apply(change, error)), (change, failure) -> {
                    throw new FailureException(failure);
                });
        return this;
    }

    /**
     * Returns the changes.
     *
     * @param most how many findings are told
     * @throws FailureException with {@link io.sigma.controlplane.failure.Failure.Invalid} when there are findings
     */
    List<EntityChange> passed(int most) {
        FailureException.refuse(errors, most);
        return changes;
    }

    /** As {@link #passed(int)}, and tells all of them. */
    List<EntityChange> passed() {
        return passed(Integer.MAX_VALUE);
    }
}

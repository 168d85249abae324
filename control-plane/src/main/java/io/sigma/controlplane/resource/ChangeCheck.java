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

    /** A file may have a million of them. */
    private static final int ERRORS_MAX = 1_000;

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
            if (change.resource() != null && errors.size() < ERRORS_MAX) {
                admission
                        .findings(ResourceType.of(change.kind()), change.resource(), Json.tree(change.resource()))
                        .forEach(error -> add(change, error));
            }
        }
        return this;
    }

    /** @throws FailureException when others refer to what is deleted */
    ChangeCheck surroundings(ResourceReader reader) {
        Surroundings.check(reader, changes, this::add, (change, failure) -> {
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

    private void add(EntityChange change, FieldError error) {
        if (errors.size() < ERRORS_MAX) {
            errors.add(shown.apply(change, error));
        }
    }

    /** As {@link #passed(int)}, and tells 1,000 of them. */
    List<EntityChange> passed() {
        return passed(Integer.MAX_VALUE);
    }
}

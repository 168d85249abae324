package io.sigma.controlplane.resource;

import io.sigma.controlplane.store.CommitResult;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.model.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of writes that were committed together.
 *
 * @param results in the order of the operations
 */
public record BatchOutcome(CommitResult committed, List<Result> results) {

    /**
     * The outcome of one write.
     *
     * @param edit null when the entity was so already
     * @param tag of the entity now; null when it has none, or it is not known
     */
    public record Result(
            Kind kind,
            String id,
            @Nullable EntityEdit edit,
            @Nullable String tag) {}

    public BatchOutcome {
        results = List.copyOf(results);
    }
}

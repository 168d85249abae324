package io.sigma.controlplane.resource;

import io.sigma.controlplane.store.Committed;
import io.sigma.model.FieldError;
import java.util.List;

/**
 * What an import did.
 *
 * @param unchanged resources of the file that were so already
 * @param warnings keys that were kept without a meaning, with their pointers into the file
 */
public record Imported(Committed committed, int created, int updated, int unchanged, List<FieldError> warnings) {

    public Imported {
        warnings = List.copyOf(warnings);
    }
}

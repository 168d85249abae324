package io.sigma.format;

import io.sigma.model.FieldError;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import java.util.List;

/**
 * What a file says, in terms of the model.
 *
 * @param changes every resource of the file, each after those that it refers to
 * @param warnings keys that were accepted and kept but change nothing, with their pointers into the file
 */
public record SigmaJson(List<EntityChange> changes, List<FieldError> warnings) {

    public SigmaJson {
        changes = List.copyOf(changes);
        warnings = List.copyOf(warnings);
    }

    /** Returns the state that consists of this file alone. */
    public ConfigState state() {
        return ConfigState.empty().with(changes);
    }
}

package io.sigma.format;

import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import java.util.List;
import java.util.Map;

/**
 * The content of a file, in terms of the model.
 *
 * @param changes every resource of the file, each after those that it refers to
 * @param warnings keys that were accepted and kept but change nothing, with their pointers into the file
 * @param places by kind and id, the pointer of each resource into the file
 */
public record SigmaJson(List<EntityChange> changes, List<FieldError> warnings, Map<Kind, Map<String, String>> places) {

    public SigmaJson {
        changes = List.copyOf(changes);
        warnings = List.copyOf(warnings);
        places = Map.copyOf(places);
    }

    /** Returns the pointer into the file of what {@code modelPointer} points to in one of {@link #changes()}. */
    public String pointer(Kind kind, String id, String modelPointer) {
        return FilePointers.of(places.getOrDefault(kind, Map.of()).getOrDefault(id, ""), modelPointer);
    }

    /** Returns the state that consists of this file alone. */
    public ConfigState state() {
        return ConfigState.empty().with(changes);
    }
}

package io.sigma.controlplane.access;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.WriteScope;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resources that an API token may change: entities of some kinds, with some labels. Immutable.
 *
 * @param kinds empty for all
 * @param labels that an entity has, before and after
 */
public record Scope(List<Kind> kinds, Map<String, String> labels) implements WriteScope {

    /** Everything. */
    public static final Scope ALL = new Scope(List.of(), Map.of());

    public Scope {
        kinds = List.copyOf(kinds);
        labels = Map.copyOf(labels);
    }

    @Override
    public void check(List<EntityEdit> edits, WriteScope.Stored stored, boolean single) {
        edits.forEach(this::check);
        if (!labels.isEmpty()) {
            new ReferenceScope(this, edits, stored, single).check();
        }
    }

    private void check(EntityEdit edit) {
        String entity = edit.kind() + "/" + edit.id();
        if (!kinds.isEmpty() && !kinds.contains(edit.kind())) {
            throw refused(entity + " (expected: one of the kinds of this token, " + kinds + ")");
        }
        if (!labels.isEmpty() && !(carries(edit.before()) && carries(edit.after()))) {
            throw refused(entity + " (expected: the labels of this token, " + labels + ", before and after)");
        }
    }

    /** Returns whether {@code resource} has all labels; so has none at all. */
    public boolean carries(@Nullable Object resource) {
        if (resource == null) {
            return true;
        }
        JsonNode own = Json.tree(resource).path("labels");
        return labels.entrySet().stream()
                .allMatch(label ->
                        label.getValue().equals(own.path(label.getKey()).asText(null)));
    }

    private static FailureException refused(String detail) {
        return new FailureException(new Failure.Forbidden(detail));
    }
}

package io.sigma.controlplane.api.operation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.json.Json;
import io.sigma.json.JsonDiff;
import io.sigma.model.EntityDiff;
import io.sigma.model.FieldChange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells how two versions of a resource differ, field by field, without their secrets. Pure. */
final class Differences {

    private static final int FIELDS_MAX = 10_000;

    private final Secrets secrets;

    Differences(Secrets secrets) {
        this.secrets = secrets;
    }

    List<EntityDiff> of(List<EntityEdit> edits) {
        return edits.stream().map(this::of).toList();
    }

    /** Compares the values as they are, and shows them as they may be seen. */
    private EntityDiff of(EntityEdit edit) {
        JsonNode before = tree(edit.before());
        JsonNode after = tree(edit.after());
        JsonNode shownBefore = shown(edit, before);
        JsonNode shownAfter = shown(edit, after);
        List<FieldChange> fields = new ArrayList<>();
        for (JsonDiff.Change change : JsonDiff.of(before, after, FIELDS_MAX)) {
            String pointer = change.pointer();
            fields.add(new FieldChange(
                    pointer,
                    present(change.before(), shownBefore, pointer),
                    present(change.after(), shownAfter, pointer)));
        }
        return new EntityDiff(edit.kind(), edit.id(), edit.action(), fields);
    }

    private static JsonNode tree(@Nullable Object value) {
        return value == null ? MissingNode.getInstance() : Json.tree(value);
    }

    private JsonNode shown(EntityEdit edit, JsonNode value) {
        return value.isMissingNode() || !secrets.has(edit.kind()) ? value : secrets.redacted(edit.kind(), value);
    }

    private static @Nullable Object present(JsonNode value, JsonNode shown, String pointer) {
        JsonNode seen = value.isMissingNode() ? value : shown.at(pointer);
        return seen.isMissingNode() ? null : seen;
    }
}

package io.sigma.controlplane.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.EntityEdit;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.EntityDiff;
import io.sigma.model.FieldChange;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
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

    private EntityDiff of(EntityEdit edit) {
        JsonNode before = tree(edit.before());
        JsonNode after = tree(edit.after());
        List<FieldChange> fields = new ArrayList<>();
        collect("", before, after, shown(edit, before), shown(edit, after), fields);
        return new EntityDiff(edit.kind(), edit.id(), edit.action(), fields);
    }

    private static JsonNode tree(@Nullable Object value) {
        return value == null ? MissingNode.getInstance() : Json.tree(value);
    }

    private JsonNode shown(EntityEdit edit, JsonNode value) {
        return value.isMissingNode() || !secrets.has(edit.kind()) ? value : secrets.redacted(edit.kind(), value);
    }

    /** Compares the values as they are, and shows them as they may be seen. */
    private static void collect(
            String pointer,
            JsonNode before,
            JsonNode after,
            JsonNode shownBefore,
            JsonNode shownAfter,
            List<FieldChange> fields) {
        if (before.equals(after) || fields.size() >= FIELDS_MAX) {
            return;
        }
        boolean objects = (before.isObject() && after.isObject())
                // What is created or deleted is told field by field as well.
                || (pointer.isEmpty() && (before.isObject() || after.isObject()));
        if (objects) {
            TreeSet<String> names = new TreeSet<>();
            before.fieldNames().forEachRemaining(names::add);
            after.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                collect(
                        pointer + JsonPointer.of(name),
                        before.path(name),
                        after.path(name),
                        shownBefore.path(name),
                        shownAfter.path(name),
                        fields);
            }
        } else if (before.isArray() && after.isArray() && before.size() == after.size()) {
            for (int i = 0; i < before.size(); i++) {
                collect(
                        pointer + "/" + i,
                        before.path(i),
                        after.path(i),
                        shownBefore.path(i),
                        shownAfter.path(i),
                        fields);
            }
        } else {
            fields.add(new FieldChange(pointer, present(shownBefore), present(shownAfter)));
        }
    }

    private static @Nullable Object present(JsonNode value) {
        return value.isMissingNode() ? null : value;
    }
}

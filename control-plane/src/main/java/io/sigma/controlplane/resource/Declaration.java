package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.check.Faults;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.Mismatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A whole state, or the part of it that carries a label, as somebody wants it to be. What it makes of each entity is
 * kept, so that asking again about another state costs only what differs. Confined to one write.
 */
public final class Declaration {

    private static final int ERRORS_MAX = 100;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final String ID_EXPECTED = "a text of 1..64 characters that matches ^[A-Za-z0-9._-]+$";

    /** The members of a state beside its resources. A client may send them back. */
    private static final Set<String> IGNORED = Set.of("revision", "stateHash");

    /** Numbers are the same however many bits their nodes have. */
    private static final Comparator<JsonNode> SAME = (a, b) -> a.isIntegralNumber() && b.isIntegralNumber()
            ? a.bigIntegerValue().compareTo(b.bigIntegerValue())
            : a.equals(b) ? 0 : 1;

    private final @Nullable Label label;
    private final ResourceAdmission admission;
    private final Secrets secrets;
    private final Map<Kind, Map<String, Entity>> entities = new EnumMap<>(Kind.class);

    /** An entity of the declared state. */
    private static final class Entity {

        private final JsonNode body;
        private final int index;
        // The stored resource at the last check, and the wanted resource; null before the first check.
        private @Nullable Object stored;
        private @Nullable Object wanted;

        Entity(JsonNode body, int index) {
            this.body = body;
            this.index = index;
        }
    }

    private Declaration(@Nullable Label label, ResourceAdmission admission, Secrets secrets) {
        this.label = label;
        this.admission = admission;
        this.secrets = secrets;
    }

    /** @throws FailureException with {@link Failure.Invalid} when {@code document} is no state */
    static Declaration read(JsonNode document, @Nullable Label label, ResourceAdmission admission, Secrets secrets) {
        Declaration declaration = new Declaration(label, admission, secrets);
        List<FieldError> errors = declaration.read(document);
        FailureException.refuse(errors, ERRORS_MAX);
        return declaration;
    }

    private List<FieldError> read(JsonNode document) {
        if (!document.isObject()) {
            return List.of(Faults.type("", "not a mapping", "kinds with their resources"));
        }
        Map<String, ResourceType<?>> types =
                ResourceType.ALL.stream().collect(Collectors.toMap(ResourceType::field, type -> type));
        List<FieldError> errors = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : document.properties()) {
            if (errors.size() >= ERRORS_MAX) {
                break;
            }
            ResourceType<?> type = types.get(field.getKey());
            if (type != null) {
                read(type, field.getValue(), errors);
            } else if (!IGNORED.contains(field.getKey())) {
                List<String> known = types.keySet().stream().sorted().toList();
                errors.add(Faults.unknownField(JsonPointer.of(field.getKey()), known));
            }
        }
        return errors;
    }

    private void read(ResourceType<?> type, JsonNode all, List<FieldError> errors) {
        if (!all.isArray()) {
            errors.add(Faults.type(JsonPointer.of(type.field()), "not a list", "a list of resources"));
            return;
        }
        Map<String, Entity> ofKind = new LinkedHashMap<>();
        // A long list could have an error at each item.
        for (int i = 0; i < all.size() && errors.size() < ERRORS_MAX; i++) {
            JsonNode body = all.get(i);
            String id = body.path("id").textValue();
            if (!body.isObject()) {
                errors.add(Faults.type(pointer(type, i), "not a mapping", type.oneLabel()));
            } else if (id == null || !ID.matcher(id).matches()) {
                errors.add(Faults.of(
                        pointer(type, i) + "/id",
                        id == null ? Mismatch.absent(ID_EXPECTED) : Mismatch.quoted(id, ID_EXPECTED)));
            } else if (ofKind.containsKey(id)) {
                errors.add(Faults.duplicate(
                        pointer(type, i) + "/id",
                        "\"" + id + "\"",
                        "each id once; " + pointer(type, Objects.requireNonNull(ofKind.get(id)).index) + " has it"));
            } else {
                ofKind.put(id, new Entity(labelled(type, i, body, errors), i));
            }
        }
        entities.put(type.kind(), ofKind);
    }

    private static String pointer(ResourceType<?> type, int index) {
        return JsonPointer.of(type.field(), index);
    }

    /** Returns {@code body} with the label of the part that it belongs to. */
    private JsonNode labelled(ResourceType<?> type, int index, JsonNode body, List<FieldError> errors) {
        JsonNode labels = body.path("labels");
        if (label == null || !(labels.isMissingNode() || labels.isObject())) {
            return body;
        }
        JsonNode own = labels.path(label.key());
        if (own.isMissingNode()) {
            ObjectNode copy = ((ObjectNode) body).deepCopy();
            copy.withObjectProperty("labels").put(label.key(), label.value());
            return copy;
        }
        if (!label.value().equals(own.textValue())) {
            errors.add(Faults.invalid(
                    pointer(type, index) + JsonPointer.of("labels", label.key()),
                    own.toString(),
                    "\"" + label.value() + "\", as the parameter label says"));
        }
        return body;
    }

    /** Returns the pointer of a field of an entity that is wanted. */
    String pointer(EntityChange change, String field) {
        ResourceType<?> type = ResourceType.of(change.kind());
        Entity entity = entities.getOrDefault(change.kind(), Map.of()).get(change.id());
        return entity == null ? JsonPointer.of(type.field()) : pointer(type, entity.index) + field;
    }

    /** Returns how many entities are wanted. */
    int size() {
        return entities.values().stream().mapToInt(Map::size).sum();
    }

    /**
     * Returns what must change in {@code state} so that it is as wanted.
     *
     * @throws FailureException with {@link Failure.Invalid}; with {@link Failure.OtherLabel} when an id belongs to a
     *     resource without the label
     */
    List<EntityChange> changes(ConfigState state) {
        List<EntityChange> changes = new ArrayList<>();
        List<FieldError> errors = new ArrayList<>();
        List<FieldError> foreign = new ArrayList<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            changes(type, state, changes, errors, foreign);
        }
        FailureException.refuse(errors, ERRORS_MAX);
        if (!foreign.isEmpty()) {
            throw new FailureException(
                    new Failure.OtherLabel(foreign.subList(0, Math.min(foreign.size(), ERRORS_MAX))));
        }
        return changes;
    }

    private <T> void changes(
            ResourceType<T> type,
            ConfigState state,
            List<EntityChange> changes,
            List<FieldError> errors,
            List<FieldError> foreign) {
        Map<String, T> stored = state.of(type);
        Map<String, Entity> wanted = entities.getOrDefault(type.kind(), Map.of());
        wanted.forEach((id, entity) -> {
            if (errors.size() >= ERRORS_MAX || foreign.size() >= ERRORS_MAX) {
                return;
            }
            T old = stored.get(id);
            if (label != null && old != null && !label.isOn(type, old)) {
                foreign.add(Faults.conflict(
                        pointer(type, entity.index) + "/id",
                        "\"" + id + "\"",
                        "an id that no resource without the label " + label + " has",
                        type.kind(),
                        id));
                return;
            }
            try {
                Object value = wanted(type, id, entity, old);
                if (!value.equals(old)) {
                    changes.add(new EntityChange(type.kind(), id, value));
                }
            } catch (FailureException e) {
                if (!(e.failure() instanceof Failure.Invalid invalid)) {
                    throw e;
                }
                invalid.errors()
                        .forEach(error -> errors.add(Faults.at(pointer(type, entity.index) + error.pointer(), error)));
            }
        });
        stored.forEach((id, old) -> {
            if (!wanted.containsKey(id) && (label == null || label.isOn(type, old))) {
                changes.add(new EntityChange(type.kind(), id, null));
            }
        });
    }

    private <T> Object wanted(ResourceType<T> type, String id, Entity entity, @Nullable T stored) {
        if (entity.wanted == null || !Objects.equals(entity.stored, stored)) {
            entity.wanted = look(type, id, entity.body, stored);
            entity.stored = stored;
        }
        return entity.wanted;
    }

    /** Returns whether {@code body} is what is shown of {@code stored}: its secrets left out, or redacted. */
    private boolean isShown(Kind kind, JsonNode stored, JsonNode body) {
        return secrets.without(kind, stored).equals(SAME, body)
                || (secrets.has(kind) && secrets.redacted(kind, stored).equals(SAME, body));
    }

    /** Returns the stored resource if the body is equal to it, so that no check is needed. */
    private <T> T look(ResourceType<T> type, String id, JsonNode body, @Nullable T stored) {
        JsonNode tree = stored == null ? null : Json.tree(stored);
        if (stored != null && tree != null && isShown(type.kind(), tree, body)) {
            return stored;
        }
        return admission.admit(type, secrets.kept(type.kind(), body, tree), id);
    }
}

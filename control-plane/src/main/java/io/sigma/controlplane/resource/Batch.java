package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.check.Faults;
import io.sigma.controlplane.failure.FailedOperation;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.CommitResult;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.controlplane.store.history.ResourceReader;
import io.sigma.controlplane.store.history.Stored;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.model.OperationAction;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.Mismatch;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges operations that are done together: each by itself first, and when nothing is wrong with any, all of them
 * against what is there. Confined to one write.
 */
final class Batch {

    private static final int FAILED_MAX = 100;

    private final List<Operation> operations;
    private final ResourceAdmission admission;
    private final Secrets secrets;

    // The resources before the batch, by kind and id; filled inside the transaction.
    private final Map<Kind, Map<String, Stored<?>>> found = new EnumMap<>(Kind.class);
    private final Map<Integer, FailedOperation> failed = new TreeMap<>();

    Batch(List<Operation> operations, ResourceAdmission admission, Secrets secrets) {
        this.operations = operations;
        this.admission = admission;
        this.secrets = secrets;
    }

    /** @throws FailureException with {@link Failure.Invalid} when what is asked for makes no sense at all */
    void requireSense() {
        List<FieldError> errors = new ArrayList<>();
        Map<String, Integer> first = new HashMap<>();
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            Integer other = first.putIfAbsent(key(operation.kind(), operation.id()), i);
            if (other != null) {
                errors.add(Faults.duplicate(
                        JsonPointer.of("operations", i, "id"),
                        "\"" + operation.id() + "\"",
                        "each entity once; operation " + other + " has it"));
            }
            boolean deletes = operation.action() == OperationAction.DELETE;
            if (deletes != (operation.body() == null)) {
                Mismatch mismatch = deletes
                        ? Mismatch.of("an object", "no resource, because the operation deletes it")
                        : Mismatch.absent("an object");
                errors.add(Faults.of(JsonPointer.of("operations", i, "body"), mismatch));
            }
        }
        FailureException.refuse(errors, FAILED_MAX);
    }

    /** @throws FailureException with {@link Failure.OperationsFailed} */
    List<EntityChange> changes(ResourceReader reader) {
        find(reader);
        List<EntityChange> changes = new ArrayList<>();
        Map<String, Integer> indexes = new HashMap<>();
        for (int i = 0; i < operations.size(); i++) {
            EntityChange change = change(i);
            if (change != null) {
                indexes.put(key(change.kind(), change.id()), i);
                changes.add(change);
            }
        }
        refuse();
        Map<Integer, List<FieldError>> errors = new TreeMap<>();
        Surroundings.check(
                reader,
                changes,
                (change, error) -> errors.computeIfAbsent(index(indexes, change), i -> new ArrayList<>())
                        .add(error),
                (change, failure) -> fail(index(indexes, change), failure));
        errors.forEach((index, some) -> fail(index, new Failure.Invalid(some)));
        refuse();
        return changes;
    }

    private static int index(Map<String, Integer> indexes, EntityChange change) {
        return Objects.requireNonNull(indexes.get(key(change.kind(), change.id())));
    }

    private static String key(Kind kind, String id) {
        return kind + "/" + id;
    }

    private void find(ResourceReader reader) {
        Map<Kind, List<String>> ids = new EnumMap<>(Kind.class);
        operations.forEach(operation ->
                ids.computeIfAbsent(operation.kind(), kind -> new ArrayList<>()).add(operation.id()));
        ids.forEach((kind, some) -> found.put(kind, Map.copyOf(reader.findAll(ResourceType.of(kind), some))));
    }

    private @Nullable Stored<?> found(Operation operation) {
        return found.getOrDefault(operation.kind(), Map.of()).get(operation.id());
    }

    /** Returns what an operation makes of its entity; null when it fails. */
    private @Nullable EntityChange change(int index) {
        Operation operation = operations.get(index);
        try {
            Object after = after(ResourceType.of(operation.kind()), operation, found(operation));
            return new EntityChange(operation.kind(), operation.id(), after);
        } catch (FailureException e) {
            fail(index, e.failure());
            return null;
        }
    }

    private <T> @Nullable T after(ResourceType<T> type, Operation operation, @Nullable Stored<?> stored) {
        Precondition precondition = Precondition.parse(operation.ifMatch(), null);
        if (operation.action() != OperationAction.PUT && stored == null) {
            throw new FailureException(
                    new Failure.NotFound("There is no " + type.label() + " \"" + operation.id() + "\"."));
        }
        precondition.check(stored);
        JsonNode body = operation.body();
        if (body == null) {
            return null;
        }
        JsonNode before = stored == null ? null : Json.tree(stored.value());
        JsonNode wanted = operation.action() == OperationAction.PATCH && before != null
                ? secrets.unredacted(type.kind(), MergePatch.apply(before, body), before)
                : secrets.kept(type.kind(), body, before);
        return admission.admit(type, wanted, operation.id());
    }

    private void fail(int index, Failure failure) {
        Operation operation = operations.get(index);
        failed.putIfAbsent(
                index, new FailedOperation(index, operation.kind(), operation.id(), failure, errors(index, failure)));
    }

    private static List<FieldError> errors(int index, Failure failure) {
        return switch (failure) {
            case Failure.Invalid invalid ->
                invalid.errors().stream()
                        .map(error -> Faults.at(JsonPointer.of("operations", index, "body") + error.pointer(), error))
                        .toList();
            case Failure.BadRequest bad -> error(index, "ifMatch", bad.detail());
            case Failure.PreconditionFailed stale -> error(index, "ifMatch", stale.detail());
            case Failure.NotFound missing -> error(index, "id", missing.detail());
            case Failure.Referenced referenced -> error(index, "id", referenced.detail());
            default -> error(index, "id", failure.toString());
        };
    }

    private static List<FieldError> error(int index, String field, String detail) {
        return List.of(Faults.failed(JsonPointer.of("operations", index, field), detail));
    }

    private void refuse() {
        if (!failed.isEmpty()) {
            throw new FailureException(new Failure.OperationsFailed(
                    failed.values().stream().limit(FAILED_MAX).toList()));
        }
    }

    /** Returns what became of each operation. */
    List<BatchOutcome.Result> results(CommitResult committed) {
        Map<Kind, Map<String, EntityEdit>> edits = new EnumMap<>(Kind.class);
        committed
                .edits()
                .forEach(edit -> edits.computeIfAbsent(edit.kind(), kind -> new HashMap<>())
                        .put(edit.id(), edit));
        return operations.stream()
                .map(operation -> {
                    EntityEdit edit =
                            edits.getOrDefault(operation.kind(), Map.of()).get(operation.id());
                    return new BatchOutcome.Result(
                            operation.kind(), operation.id(), edit, tag(committed, edit, found(operation)));
                })
                .toList();
    }

    private static @Nullable String tag(CommitResult committed, @Nullable EntityEdit edit, @Nullable Stored<?> stored) {
        if (edit == null) {
            return stored == null ? null : stored.tag();
        }
        return edit.after() == null || !committed.durable()
                ? null
                : new Stored<>(edit.after(), committed.revision()).tag();
    }
}

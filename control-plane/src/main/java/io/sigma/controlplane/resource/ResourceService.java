package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.openapi.OpenApiPlan;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.Committed;
import io.sigma.controlplane.store.Edit;
import io.sigma.controlplane.store.EntityEdit;
import io.sigma.controlplane.store.Page;
import io.sigma.controlplane.store.ResourceReader;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.store.Stored;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.format.SigmaJson;
import io.sigma.format.SigmaJsonReader;
import io.sigma.format.SigmaJsonRefused;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes resources of every kind. A write returns when its revision is durable and {@link Store#log()} has it.
 * Thread-safe; methods wait, so call them on a virtual thread, and throw {@link FailureException}.
 */
public final class ResourceService {

    /** How long a write waits for this process to know its own revision; it is durable whether or not that is in time. */
    private static final Duration LOG_WAIT = Duration.ofSeconds(2);

    private static final int ERRORS_MAX = 100;

    private final Store store;
    private final Secrets secrets;
    private final Admission admission;
    private final RandomIds ids = new RandomIds(new SecureRandom());

    public ResourceService(Store store, ContractCheck contract, UpstreamGuard guard) {
        this.store = store;
        this.secrets = store.secrets();
        this.admission = new Admission(contract, guard);
    }

    /** As {@link ResourceReader#page}. */
    public <T> Page<String, T> page(
            ResourceType<T> type, String after, int limit, @Nullable String name, Map<String, String> filters) {
        return store.resources().page(type, after, limit, name, filters);
    }

    /** Returns one resource, or fails with {@link Failure.NotFound}. */
    public <T> Stored<T> get(ResourceType<T> type, String id) {
        return existing(type, id, store.resources().find(type, id));
    }

    /** Creates or replaces a resource. */
    public <T> Written<T> put(ResourceType<T> type, String id, JsonNode body, IfMatch ifMatch, WriteRequest request) {
        T early = secrets.has(type.kind()) ? null : admission.admit(type, body, id);
        return write(type, request, (reader, before) -> {
            Stored<T> found = reader.find(type, id);
            before.set(found);
            ifMatch.check(found);
            return early != null ? early : admission.admit(type, kept(type, body, found), id);
        });
    }

    /** Creates a resource under the id of its body, or one that is picked here. */
    public <T> Written<T> create(ResourceType<T> type, JsonNode body, WriteRequest request) {
        T value = admission.admit(type, kept(type, body, null), null);
        return write(type, request, (reader, before) -> {
            String own = type.idIn(value);
            if (own != null && reader.find(type, own) != null) {
                throw new FailureException(
                        new Failure.IdTaken("There is a " + type.label() + " \"" + own + "\" already."));
            }
            return own == null ? type.withId(value, freeId(type, reader)) : value;
        });
    }

    private <T> JsonNode kept(ResourceType<T> type, JsonNode body, @Nullable Stored<T> stored) {
        return secrets.has(type.kind())
                ? secrets.kept(type.kind(), body, stored == null ? null : Json.tree(stored.value()))
                : body;
    }

    private String freeId(ResourceType<?> type, ResourceReader reader) {
        String id = ids.next(type);
        while (reader.find(type, id) != null) {
            id = ids.next(type);
        }
        return id;
    }

    /** Changes some fields of a resource. */
    public <T> Written<T> patch(
            ResourceType<T> type, String id, JsonNode patch, IfMatch ifMatch, WriteRequest request) {
        return write(type, request, (reader, before) -> {
            Stored<T> found = existing(type, id, reader.find(type, id));
            before.set(found);
            ifMatch.check(found);
            JsonNode merged = MergePatch.apply(Json.tree(found.value()), patch);
            return admission.admit(type, secrets.unredacted(type.kind(), merged, Json.tree(found.value())), id);
        });
    }

    /** Deletes a resource that nothing refers to. */
    public <T> Committed delete(ResourceType<T> type, String id, IfMatch ifMatch, WriteRequest request) {
        return commit(request, reader -> {
            ifMatch.check(existing(type, id, reader.find(type, id)));
            EntityChange change = new EntityChange(type.kind(), id, null);
            Surroundings.check(reader, change);
            return List.of(change);
        });
    }

    /** Resources that may be rolled back at once. */
    private static final int ROLLBACK_MAX = 100_000;

    /**
     * Makes everything, or one resource, as it was at a revision of the history, in a new revision.
     *
     * @param kind null for everything, and {@code id} with it
     */
    public Committed rollBack(long revision, @Nullable Kind kind, @Nullable String id, WriteRequest request) {
        return commit(request, reader -> {
            List<EntityEdit> since = store.revisions().between(revision, Long.MAX_VALUE, ROLLBACK_MAX + 1);
            if (since.size() > ROLLBACK_MAX) {
                throw new FailureException(new Failure.Invalid(
                        List.of(new FieldError("", "more than " + ROLLBACK_MAX + " resources differ"))));
            }
            List<EntityChange> changes = since.stream()
                    .filter(edit ->
                            kind == null || (edit.kind() == kind && edit.id().equals(id)))
                    .map(edit -> new EntityChange(edit.kind(), edit.id(), edit.before()))
                    .toList();
            List<FieldError> errors = new ArrayList<>();
            for (EntityChange change : changes) {
                if (change.resource() != null) {
                    ResourceType<?> type = ResourceType.of(change.kind());
                    // What was right then need not be now.
                    admission
                            .findings(type, change.resource(), Json.tree(change.resource()))
                            .forEach(error -> errors.add(inState(change, error)));
                }
            }
            Surroundings.check(
                    reader, changes, (change, error) -> errors.add(inState(change, error)), (change, failure) -> {
                        throw new FailureException(failure);
                    });
            if (!errors.isEmpty()) {
                throw new FailureException(new Failure.Invalid(errors));
            }
            return changes;
        });
    }

    private static FieldError inState(EntityChange change, FieldError error) {
        String resource = JsonPointer.of(ResourceType.of(change.kind()).field(), change.id());
        return new FieldError(resource + error.pointer(), error.detail());
    }

    /** Does all of {@code operations}, or none, in one revision. */
    public Batched batch(List<Operation> operations, WriteRequest request) {
        Batch batch = new Batch(operations, admission, secrets);
        batch.requireSense();
        Committed committed = commit(request, batch::changes);
        return new Batched(committed, batch.results(committed));
    }

    /**
     * Reads a declared state and finds out what it changes in the state of now. Does not wait, but takes a while for a large
     * one: keep it off event loops.
     *
     * @param label that the part which is declared carries; null for the whole state
     */
    public Declaration readState(JsonNode document, @Nullable Label label) {
        Declaration declaration = Declaration.read(document, label, admission, secrets);
        declaration.changes(store.log().current().state());
        return declaration;
    }

    /** Makes the state, or its part with {@code label}, as declared, in one revision; what is so already is left alone. */
    public Declared declare(Declaration declaration, @Nullable Label label, IfMatch ifMatch, WriteRequest request) {
        AtomicReference<@Nullable Snapshot> base = new AtomicReference<>();
        Committed committed = commit(request, reader -> {
            Snapshot head = reader.since(store.log().current());
            base.set(head);
            ifMatch.check(new Part(head, label).tag());
            List<EntityChange> changes = declaration.changes(head.state());
            List<FieldError> errors = new ArrayList<>();
            Surroundings.check(
                    reader,
                    changes,
                    (change, error) ->
                            errors.add(new FieldError(declaration.pointer(change, error.pointer()), error.detail())),
                    (change, failure) -> {
                        throw new FailureException(failure);
                    });
            if (!errors.isEmpty()) {
                throw new FailureException(new Failure.Invalid(errors.subList(0, Math.min(errors.size(), ERRORS_MAX))));
            }
            return changes;
        });
        return declared(declaration, committed, label, base.get());
    }

    private static Declared declared(
            Declaration declaration, Committed committed, @Nullable Label label, @Nullable Snapshot base) {
        int created = (int)
                committed.edits().stream().filter(edit -> edit.before() == null).count();
        int deleted = (int)
                committed.edits().stream().filter(edit -> edit.after() == null).count();
        int updated = committed.edits().size() - created - deleted;
        String tag = base == null || !committed.durable() ? null : tag(committed, label, base);
        return new Declared(committed, created, updated, deleted, declaration.size() - created - updated, tag);
    }

    private static String tag(Committed committed, @Nullable Label label, Snapshot base) {
        if (label == null) {
            return Part.tag(committed.revision(), committed.hash());
        }
        List<EntityChange> changes = committed.edits().stream()
                .map(edit -> new EntityChange(edit.kind(), edit.id(), edit.after()))
                .toList();
        return new Part(
                        new Snapshot(
                                committed.revision(),
                                committed.hash(),
                                base.state().with(changes)),
                        label)
                .tag();
    }

    /**
     * Reads a sigma.json file and checks each resource by itself. Does not wait, but takes a while for a large file: keep it
     * off event loops.
     */
    public ImportFile readFile(JsonNode file) {
        SigmaJson content;
        try {
            content = SigmaJsonReader.read(file);
        } catch (SigmaJsonRefused e) {
            throw new FailureException(new Failure.Invalid(e.errors()));
        }
        List<FieldError> errors = new ArrayList<>();
        for (EntityChange change : content.changes()) {
            if (change.resource() != null) {
                admission
                        .findings(ResourceType.of(change.kind()), change.resource(), Json.tree(change.resource()))
                        .forEach(error -> errors.add(inFile(content, change, error)));
            }
        }
        if (!errors.isEmpty()) {
            throw new FailureException(new Failure.Invalid(errors));
        }
        return new ImportFile(content);
    }

    /** Creates or replaces every resource of a file, in one revision. */
    public Imported importFile(ImportFile file, WriteRequest request) {
        SigmaJson content = file.content();
        Committed committed = commit(request, error -> inFile(content, error), reader -> {
            List<FieldError> errors = new ArrayList<>();
            Surroundings.check(
                    reader,
                    content.changes(),
                    (change, error) -> errors.add(inFile(content, change, error)),
                    (change, failure) -> {
                        throw new FailureException(failure);
                    });
            if (!errors.isEmpty()) {
                throw new FailureException(new Failure.Invalid(errors));
            }
            return content.changes();
        });
        return Imported.of(committed, content.changes().size(), content.warnings());
    }

    /** Creates or replaces what an OpenAPI document asks for, in one revision. */
    public Imported importOpenApi(OpenApiPlan plan, WriteRequest request) {
        AtomicInteger wanted = new AtomicInteger();
        Committed committed = commit(request, reader -> {
            OpenApiWrite write = new OpenApiWrite(plan);
            List<EntityChange> changes = write.changes(reader);
            List<FieldError> errors = new ArrayList<>();
            BiConsumer<EntityChange, FieldError> found = (change, error) -> errors.add(
                    new FieldError(write.pointer(change), change.id() + error.pointer() + ": " + error.detail()));
            for (EntityChange change : changes) {
                if (change.resource() != null) {
                    admission
                            .findings(ResourceType.of(change.kind()), change.resource(), Json.tree(change.resource()))
                            .forEach(error -> found.accept(change, error));
                }
            }
            Surroundings.check(reader, changes, found, (change, failure) -> {
                throw new FailureException(failure);
            });
            if (!errors.isEmpty()) {
                throw new FailureException(new Failure.Invalid(errors.subList(0, Math.min(errors.size(), 100))));
            }
            wanted.set(changes.size());
            return changes;
        });
        return Imported.of(committed, wanted.get(), plan.warnings());
    }

    private static FieldError inFile(SigmaJson content, EntityChange change, FieldError error) {
        return new FieldError(content.pointer(change.kind(), change.id(), error.pointer()), error.detail());
    }

    private static FieldError inFile(SigmaJson content, FieldError error) {
        for (EntityChange change : content.changes()) {
            String prefix = JsonPointer.of(ResourceType.of(change.kind()).field(), change.id());
            if (error.pointer().equals(prefix) || error.pointer().startsWith(prefix + "/")) {
                return inFile(
                        content, change, new FieldError(error.pointer().substring(prefix.length()), error.detail()));
            }
        }
        return error;
    }

    /** Decides, inside the transaction, what a resource shall be; notes what it was. */
    private interface Decision<T> {
        T value(ResourceReader reader, AtomicReference<@Nullable Stored<T>> before);
    }

    private <T> Written<T> write(ResourceType<T> type, WriteRequest request, Decision<T> decision) {
        AtomicReference<@Nullable Stored<T>> before = new AtomicReference<>();
        AtomicReference<@Nullable T> after = new AtomicReference<>();
        Committed committed = commit(request, error -> ofBody(type, after.get(), error), reader -> {
            T value = decision.value(reader, before);
            after.set(value);
            EntityChange change = new EntityChange(type.kind(), type.id(value), value);
            Surroundings.check(reader, change);
            return List.of(change);
        });
        if (!committed.changed()) {
            return new Written<>(Objects.requireNonNull(before.get()), false, committed);
        }
        EntityEdit edit = committed.edits().getFirst();
        T value = type.cast(Objects.requireNonNull(edit.after()));
        return new Written<>(new Stored<>(value, committed.revision()), edit.before() == null, committed);
    }

    /** Gateways point into the whole state; what they refuse in the resource of the body is shown there. */
    private static <T> FieldError ofBody(ResourceType<T> type, @Nullable T value, FieldError error) {
        String prefix = value == null ? "/" : JsonPointer.of(type.field(), type.id(value));
        String pointer = error.pointer();
        boolean own = pointer.equals(prefix) || pointer.startsWith(prefix + "/");
        return own ? new FieldError(pointer.substring(prefix.length()), error.detail()) : error;
    }

    private Committed commit(WriteRequest request, Edit edit) {
        return commit(request, error -> error, edit);
    }

    /** @param shown returns what a gateway refuses as the caller knows it */
    private Committed commit(WriteRequest request, UnaryOperator<FieldError> shown, Edit edit) {
        Committed committed;
        try {
            committed = store.writer().write(request, edit);
        } catch (FailureException e) {
            if (e.failure() instanceof Failure.RefusedByGateway refused) {
                List<FieldError> errors = refused.errors().stream().map(shown).toList();
                throw new FailureException(new Failure.RefusedByGateway(errors, refused.votes()), e);
            }
            throw e;
        }
        if (committed.changed() && committed.durable()) {
            store.log().hint();
            store.log()
                    .reached(committed.revision())
                    .timeout(LOG_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                    .otherwiseEmpty()
                    .await();
        }
        return committed;
    }

    private static <T> Stored<T> existing(ResourceType<T> type, String id, @Nullable Stored<T> found) {
        if (found == null) {
            throw new FailureException(new Failure.NotFound("There is no " + type.label() + " \"" + id + "\"."));
        }
        return found;
    }
}

package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.check.Faults;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.CommitResult;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.controlplane.store.database.Page;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.controlplane.store.history.ResourceReader;
import io.sigma.controlplane.store.history.Stored;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes resources of every kind, one at a time. A write returns when its revision is durable and
 * {@link Store#log()} has it. Thread-safe; methods wait, so call them on a virtual thread, and throw
 * {@link FailureException}.
 */
public final class ResourceService {

    private final Store store;
    private final Secrets secrets;
    private final ResourceAdmission admission;
    private final RevisionCommits commits;
    private final RandomIds ids = new RandomIds(new SecureRandom());

    public ResourceService(Store store, ContractCheck contract, UpstreamGuard guard) {
        this.store = store;
        this.secrets = store.secrets();
        this.admission = new ResourceAdmission(contract, guard);
        this.commits = new RevisionCommits(store);
    }

    /** As {@link ResourceReader#page}. */
    public <T> Page<String, T> page(
            ResourceType<T> type, String after, int limit, @Nullable String name, Map<String, String> filters) {
        return store.resources().page(type, after, limit, name, filters);
    }

    /** Returns those of {@code ids} that exist, in their order. */
    public <T> List<T> those(ResourceType<T> type, List<String> ids) {
        Map<String, Stored<T>> found = store.resources().findAll(type, ids);
        return ids.stream()
                .map(found::get)
                .filter(Objects::nonNull)
                .map(Stored::value)
                .toList();
    }

    /** Returns one resource, or fails with {@link Failure.NotFound}. */
    public <T> Stored<T> get(ResourceType<T> type, String id) {
        return existing(type, id, store.resources().find(type, id));
    }

    /** Creates or replaces a resource. */
    public <T> WriteResult<T> put(
            ResourceType<T> type, String id, JsonNode body, Precondition precondition, WriteRequest request) {
        Stored<T> seen = secrets.has(type.kind()) ? store.resources().find(type, id) : null;
        T early = early(type, id, body, seen);
        return write(type, id, request, (reader, before) -> {
            Stored<T> found = reader.find(type, id);
            before.set(found);
            precondition.check(found);
            boolean fits = !secrets.has(type.kind()) || Objects.equals(value(seen), value(found));
            return early != null && fits ? early : admission.admit(type, kept(type, body, found), id);
        });
    }

    /**
     * Returns the resource as it is if nobody else writes it, so that passwords are hashed before other writes have to
     * wait for it; null where what is kept of the stored one decides whether it is right.
     */
    private <T> @Nullable T early(ResourceType<T> type, String id, JsonNode body, @Nullable Stored<T> seen) {
        try {
            return admission.admit(type, kept(type, body, seen), id);
        } catch (FailureException e) {
            if (secrets.has(type.kind())) {
                return null;
            }
            throw e;
        }
    }

    private static <T> @Nullable T value(@Nullable Stored<T> stored) {
        return stored == null ? null : stored.value();
    }

    /** Creates a resource under the id of its body, or one that is picked here. */
    public <T> WriteResult<T> create(ResourceType<T> type, JsonNode body, WriteRequest request) {
        T value = admission.admit(type, kept(type, body, null), null);
        return write(type, type.idIn(value), request, (reader, before) -> {
            String own = type.idIn(value);
            if (own != null && reader.find(type, own) != null) {
                throw new FailureException(
                        new Failure.IdTaken("There is " + type.oneLabel() + " \"" + own + "\" already."));
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
    public <T> WriteResult<T> patch(
            ResourceType<T> type, String id, JsonNode patch, Precondition precondition, WriteRequest request) {
        return write(type, id, request, (reader, before) -> {
            Stored<T> found = existing(type, id, reader.find(type, id));
            before.set(found);
            precondition.check(found);
            JsonNode merged = MergePatch.apply(Json.tree(found.value()), patch);
            return admission.admit(type, secrets.unredacted(type.kind(), merged, Json.tree(found.value())), id);
        });
    }

    /** Deletes a resource that nothing refers to. */
    public <T> CommitResult delete(ResourceType<T> type, String id, Precondition precondition, WriteRequest request) {
        return commits.commit(request.ofOne(), reader -> {
            precondition.check(existing(type, id, reader.find(type, id)));
            return alone(new EntityChange(type.kind(), id, null), reader);
        });
    }

    private static List<EntityChange> alone(EntityChange change, ResourceReader reader) {
        return new ChangeCheck(List.of(change), (same, error) -> error)
                .surroundings(reader)
                .passed();
    }

    /** Decides, inside the transaction, what a resource shall be; notes what it was. */
    private interface Decision<T> {
        T value(ResourceReader reader, AtomicReference<@Nullable Stored<T>> before);
    }

    /** @param id null when it is not known before */
    private <T> WriteResult<T> write(
            ResourceType<T> type, @Nullable String id, WriteRequest request, Decision<T> decision) {
        AtomicReference<@Nullable Stored<T>> before = new AtomicReference<>();
        AtomicReference<@Nullable T> after = new AtomicReference<>();
        CommitResult committed = commits.commit(request.ofOne(), error -> ofBody(type, after.get(), error), reader -> {
            T value = decision.value(reader, before);
            after.set(value);
            return alone(new EntityChange(type.kind(), type.id(value), value), reader);
        });
        if (!committed.changed()) {
            Stored<T> same = before.get();
            return new WriteResult<>(
                    same != null ? same : then(type, Objects.requireNonNull(id), committed.revision()),
                    false,
                    committed);
        }
        EntityEdit edit = committed.edits().getFirst();
        T value = type.cast(Objects.requireNonNull(edit.after()));
        return new WriteResult<>(new Stored<>(value, committed.revision()), edit.before() == null, committed);
    }

    /** Returns what a request found that changed nothing, which is repeated now. */
    private <T> Stored<T> then(ResourceType<T> type, String id, long revision) {
        return store.atOneMoment(reader -> {
            EntityChange undoing = reader.history().undoing(revision, type.kind(), id);
            Object value = undoing == null ? null : undoing.resource();
            return value == null ? existing(type, id, reader.find(type, id)) : new Stored<>(type.cast(value), revision);
        });
    }

    /** Gateways point into the whole state; what they refuse in the resource of the body is shown there. */
    private static <T> FieldError ofBody(ResourceType<T> type, @Nullable T value, FieldError error) {
        String prefix = value == null ? "/" : JsonPointer.of(type.field(), type.id(value));
        String pointer = error.pointer();
        boolean own = pointer.equals(prefix) || pointer.startsWith(prefix + "/");
        return own ? Faults.at(pointer.substring(prefix.length()), error) : error;
    }

    private static <T> Stored<T> existing(ResourceType<T> type, String id, @Nullable Stored<T> found) {
        if (found == null) {
            throw new FailureException(new Failure.NotFound("There is no " + type.label() + " \"" + id + "\"."));
        }
        return found;
    }
}

package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.check.Faults;
import io.sigma.controlplane.apidoc.OpenApiPlan;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.CommitResult;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.store.StoredResources;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.controlplane.store.WriteScope;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.controlplane.store.history.Head;
import io.sigma.controlplane.store.history.RevisionReader;
import io.sigma.controlplane.store.history.Stored;
import io.sigma.format.SigmaJson;
import io.sigma.format.SigmaJsonReader;
import io.sigma.format.SigmaJsonRefused;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.model.OpenApiImportSummary;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Changes many resources at once, each time in one revision: batches, declared states, imports, and what the history
 * was. A write returns as those of {@link ResourceService} do. Thread-safe; methods wait where they do not say
 * otherwise, so call them on a virtual thread, and throw {@link FailureException}.
 */
public final class StateService {

    /** Resources that may be rolled back at once. */
    private static final int ROLLBACK_MAX = 100_000;

    private static final int ERRORS_MAX = 100;

    private final Store store;
    private final Secrets secrets;
    private final ResourceAdmission admission;
    private final RevisionCommits commits;

    public StateService(Store store, ContractCheck contract, UpstreamGuard guard) {
        this.store = store;
        this.secrets = store.secrets();
        this.admission = new ResourceAdmission(contract, guard);
        this.commits = new RevisionCommits(store);
    }

    /**
     * Makes everything, or one resource, as it was at a revision of the history, in a new revision.
     *
     * @param kind null for everything, and {@code id} with it
     * @param precondition about the whole state, or the one resource
     */
    public RollBackResult rollBack(
            long revision, @Nullable Kind kind, @Nullable String id, Precondition precondition, WriteRequest request) {
        AtomicReference<@Nullable String> before = new AtomicReference<>();
        CommitResult committed = commits.commit(request, reader -> {
            Head head = reader.head();
            String whole = Part.tag(head.revision(), head.hash());
            Stored<?> one = kind == null ? null : reader.find(ResourceType.of(kind), Objects.requireNonNull(id));
            String own = one == null ? whole : one.tag();
            before.set(own);
            precondition.check(own, whole);
            List<EntityChange> changes = back(reader.history(), revision, kind, id);
            // The earlier content may not be valid any more.
            return new ChangeCheck(changes, StateService::inState)
                    .contents(admission)
                    .surroundings(reader)
                    .passed();
        });
        return new RollBackResult(committed, tag(committed, kind, before.get()));
    }

    private static List<EntityChange> back(
            RevisionReader history, long revision, @Nullable Kind kind, @Nullable String id) {
        List<EntityChange> changes;
        if (kind == null) {
            changes = history.between(revision, Long.MAX_VALUE, ROLLBACK_MAX + 1).stream()
                    .map(edit -> new EntityChange(edit.kind(), edit.id(), edit.before()))
                    .toList();
        } else {
            EntityChange one = history.undoing(revision, kind, Objects.requireNonNull(id));
            changes = one == null ? List.of() : List.of(one);
        }
        history.requireKept(revision);
        if (changes.size() > ROLLBACK_MAX) {
            throw FailureException.invalid(Faults.plain("", "more than " + ROLLBACK_MAX + " resources differ"));
        }
        return changes;
    }

    /**
     * Returns the tag that a write answers.
     *
     * @param kind null for the tag of the whole state
     * @param before null when the write was made by an earlier request
     */
    private static @Nullable String tag(CommitResult committed, @Nullable Kind kind, @Nullable String before) {
        if (before == null || !committed.durable() || !committed.changed()) {
            return before;
        }
        Object after = committed.edits().getFirst().after();
        return kind == null || after == null
                ? Part.tag(committed.revision(), committed.hash())
                : new Stored<>(after, committed.revision()).tag();
    }

    private static FieldError inState(EntityChange change, FieldError error) {
        return Faults.at(pointer(change) + error.pointer(), error);
    }

    /** Returns where a resource is in the whole state. */
    private static String pointer(EntityChange change) {
        return JsonPointer.of(ResourceType.of(change.kind()).field(), change.id());
    }

    /** Does all of {@code operations}, or none, in one revision. */
    public BatchOutcome batch(List<Operation> operations, WriteRequest request) {
        Batch batch = new Batch(operations, admission, secrets);
        batch.requireSense();
        CommitResult committed = commits.commit(request, batch::changes);
        return new BatchOutcome(committed, batch.results(committed));
    }

    /**
     * Returns what {@code operations} would make of the newest state. They are judged as those of a batch, but no
     * writer waits and no gateway is asked.
     *
     * @param scope the resources that may be changed
     */
    public Draft draft(List<Operation> operations, WriteScope scope) {
        Batch batch = new Batch(operations, admission, secrets);
        batch.requireSense();
        return store.atOneMoment(reader -> {
            Snapshot base = reader.since(store.log().current());
            List<EntityChange> changes = batch.changes(reader);
            List<EntityEdit> edits = new ArrayList<>();
            for (EntityChange change : changes) {
                Object before = base.state().of(ResourceType.of(change.kind())).get(change.id());
                edits.add(new EntityEdit(change.kind(), change.id(), before, change.resource()));
            }
            scope.check(edits, new StoredResources(reader), false);
            return new Draft(base, changes);
        });
    }

    /**
     * Reads a declared state and finds out what it changes in the state of now. Does not wait, but takes a while for a
     * large one: keep it off event loops.
     *
     * @param label that the part which is declared carries; null for the whole state
     */
    public Declaration readState(JsonNode document, @Nullable Label label) {
        Declaration declaration = Declaration.read(document, label, admission, secrets);
        declaration.changes(store.log().current().state());
        return declaration;
    }

    /**
     * Makes the state, or its part with {@code label}, as declared, in one revision; what is so already is left alone.
     */
    public DeclarationResult declare(
            Declaration declaration, @Nullable Label label, Precondition precondition, WriteRequest request) {
        AtomicReference<@Nullable Snapshot> base = new AtomicReference<>();
        CommitResult committed = commits.commit(request, reader -> {
            Snapshot head = reader.since(store.log().current());
            base.set(head);
            precondition.check(new Part(head, label).tag());
            return new ChangeCheck(
                            declaration.changes(head.state()),
                            (change, error) -> Faults.at(declaration.pointer(change, error.pointer()), error))
                    .surroundings(reader)
                    .passed(ERRORS_MAX);
        });
        return declared(declaration, committed, label, base.get());
    }

    private static DeclarationResult declared(
            Declaration declaration, CommitResult committed, @Nullable Label label, @Nullable Snapshot base) {
        int created = (int)
                committed.edits().stream().filter(edit -> edit.before() == null).count();
        int deleted = (int)
                committed.edits().stream().filter(edit -> edit.after() == null).count();
        int updated = committed.edits().size() - created - deleted;
        String tag =
                base == null ? null : committed.durable() ? tag(committed, label, base) : new Part(base, label).tag();
        return new DeclarationResult(committed, created, updated, deleted, declaration.size() - created - updated, tag);
    }

    private static String tag(CommitResult committed, @Nullable Label label, Snapshot base) {
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
     * Reads a sigma.json file and checks each resource by itself. Does not wait, but takes a while for a large file:
     * keep it off event loops.
     */
    public ImportFile readFile(JsonNode file) {
        SigmaJson content;
        try {
            content = SigmaJsonReader.read(file);
        } catch (SigmaJsonRefused e) {
            throw new FailureException(new Failure.Invalid(e.errors()));
        }
        ofFile(content).contents(admission).passed();
        return new ImportFile(content);
    }

    /**
     * Creates or replaces every resource of a file, in one revision.
     *
     * @param precondition about the whole state
     */
    public ImportOutcome importFile(ImportFile file, Precondition precondition, WriteRequest request) {
        SigmaJson content = file.content();
        AtomicReference<@Nullable String> before = new AtomicReference<>();
        CommitResult committed = commits.commit(request, error -> inFile(content, error), reader -> {
            before.set(checked(precondition, reader.head()));
            return ofFile(content).surroundings(reader).passed();
        });
        return ImportOutcome.of(
                committed, content.changes().size(), content.warnings(), tag(committed, null, before.get()));
    }

    private static ChangeCheck ofFile(SigmaJson content) {
        return new ChangeCheck(content.changes(), (change, error) -> inFile(content, change, error));
    }

    private static FieldError inFile(SigmaJson content, EntityChange change, FieldError error) {
        return Faults.at(content.pointer(change.kind(), change.id(), error.pointer()), error);
    }

    private static FieldError inFile(SigmaJson content, FieldError error) {
        for (EntityChange change : content.changes()) {
            String prefix = pointer(change);
            if (error.pointer().equals(prefix) || error.pointer().startsWith(prefix + "/")) {
                return inFile(content, change, Faults.at(error.pointer().substring(prefix.length()), error));
            }
        }
        return error;
    }

    /** Returns the tag of the whole state, which {@code precondition} is about. */
    private static String checked(Precondition precondition, Head head) {
        String tag = Part.tag(head.revision(), head.hash());
        precondition.check(tag);
        return tag;
    }

    /**
     * Returns what there is of each import of an OpenAPI document, ordered by id. Does not wait, but takes a while:
     * keep it off event loops.
     */
    public List<OpenApiImportSummary> openApiImports() {
        ConfigState state = store.log().current().state();
        Map<String, Integer> resources = new TreeMap<>();
        Map<String, Integer> routes = new HashMap<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            count(type, state, resources);
        }
        count(ResourceType.ROUTE, state, routes);
        List<OpenApiImportSummary> imports = new ArrayList<>();
        resources.forEach((id, count) -> {
            Upstream upstream = state.upstreams().get(id);
            imports.add(new OpenApiImportSummary(
                    id, upstream == null ? null : upstream.name(), count, routes.getOrDefault(id, 0)));
        });
        return imports;
    }

    private static <T> void count(ResourceType<T> type, ConfigState state, Map<String, Integer> counts) {
        state.of(type).forEach((own, resource) -> {
            String id = ImportLabel.importOf(type, own, resource);
            if (id != null) {
                counts.merge(id, 1, Integer::sum);
            }
        });
    }

    /**
     * Deletes everything of an import, in one revision.
     *
     * @param precondition about the whole state
     * @throws FailureException with {@link Failure.NotFound} when there is nothing of it, with
     *     {@link Failure.Referenced} when others refer to it
     */
    public ImportOutcome removeOpenApi(String id, Precondition precondition, WriteRequest request) {
        AtomicReference<@Nullable String> before = new AtomicReference<>();
        CommitResult committed = commits.commit(request, reader -> {
            Snapshot head = reader.since(store.log().current());
            before.set(checked(precondition, new Head(head.revision(), head.hash())));
            List<EntityChange> changes = new ArrayList<>();
            for (ResourceType<?> type : ResourceType.ALL) {
                head.state().of(type).forEach((own, resource) -> {
                    if (id.equals(ImportLabel.importOf(type, own, resource))) {
                        changes.add(new EntityChange(type.kind(), own, null));
                    }
                });
            }
            if (changes.isEmpty()) {
                throw new FailureException(new Failure.NotFound("There is no import \"" + id + "\"."));
            }
            return new ChangeCheck(changes, StateService::inState)
                    .surroundings(reader)
                    .passed();
        });
        return ImportOutcome.of(committed, committed.edits().size(), List.of(), tag(committed, null, before.get()));
    }

    /**
     * Creates or replaces what an OpenAPI document asks for, in one revision.
     *
     * @param precondition about the whole state
     */
    public ImportOutcome importOpenApi(OpenApiPlan plan, Precondition precondition, WriteRequest request) {
        AtomicInteger wanted = new AtomicInteger();
        List<FieldError> losses = new ArrayList<>();
        AtomicReference<@Nullable String> before = new AtomicReference<>();
        boolean force = plan.options().force() || request.dryRun();
        CommitResult committed = commits.commit(request, reader -> {
            Snapshot head = reader.since(store.log().current());
            before.set(checked(precondition, new Head(head.revision(), head.hash())));
            OpenApiWrite write = new OpenApiWrite(plan);
            List<EntityChange> changes = write.changes(head.state(), force);
            losses.clear();
            losses.addAll(write.losses());
            wanted.set(changes.size());
            return new ChangeCheck(
                            changes,
                            (change, error) -> Faults.retold(
                                    write.pointer(change),
                                    change.id() + error.pointer() + ": " + error.detail(),
                                    error))
                    .contents(admission)
                    .surroundings(reader)
                    .passed(ERRORS_MAX);
        });
        return ImportOutcome.of(committed, wanted.get(), plan.warnings(), tag(committed, null, before.get()))
                .losing(losses);
    }
}

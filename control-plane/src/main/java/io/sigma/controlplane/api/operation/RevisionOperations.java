package io.sigma.controlplane.api.operation;

import io.sigma.check.Faults;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.Cursors;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.api.request.Parameters;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.resource.Precondition;
import io.sigma.controlplane.resource.RollBackResult;
import io.sigma.controlplane.resource.StateService;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.store.database.Page;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.controlplane.store.history.RevisionFilter;
import io.sigma.json.Json;
import io.sigma.model.AnswerKind;
import io.sigma.model.GatewayAck;
import io.sigma.model.Kind;
import io.sigma.model.Revision;
import io.sigma.model.RevisionAcks;
import io.sigma.model.RevisionDiff;
import io.sigma.model.RevisionList;
import io.sigma.model.Rollback;
import io.sigma.model.RollbackResult;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.sigma.value.Mismatch;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The operations on the history: list, show, compare, roll back, and who has acknowledged. */
final class RevisionOperations {

    private static final int DIFF_DEFAULT = 1_000;

    /** A state that differs in more resources from the current one is not put together. */
    private static final int STATE_CHANGES_MAX = 200_000;

    private static final long BEHIND_SECONDS = 5;

    private final Store store;
    private final StateService states;
    private final Fleet fleet;
    private final Acknowledgements acknowledgements;
    private final ConfigOperations configs;
    private final Differences differences;

    RevisionOperations(
            Store store,
            StateService states,
            Fleet fleet,
            Acknowledgements acknowledgements,
            ConfigOperations configs) {
        this.store = store;
        this.states = states;
        this.fleet = fleet;
        this.acknowledgements = acknowledgements;
        this.configs = configs;
        this.differences = new Differences(store.secrets());
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("listRevisions", this::list);
        handlers.put("getRevision", this::get);
        handlers.put("diffRevisions", this::diff);
        handlers.put("getRevisionConfig", this::config);
        handlers.put("getRevisionAcks", this::acks);
        handlers.put("rollBackRevision", this::rollBack);
    }

    private Answer list(ApiCall call) {
        Parameters parameters = call.parameters();
        String kind = parameters.get("kind");
        RevisionFilter filter = new RevisionFilter(
                parameters.get("author"),
                parameters.get("text"),
                kind == null ? null : Kind.valueOf(kind),
                parameters.get("id"));
        Page<Long, Revision> page =
                store.revisions().page(Cursors.number(parameters.get("cursor")), parameters.limit(), filter);
        return Answer.ok(new RevisionList(page.items(), Cursors.of(page.last())));
    }

    private Answer get(ApiCall call) {
        long number = number(call, "number");
        return Answer.ok(found(number, store.revisions().detail(number)));
    }

    private <T> T found(long number, @Nullable T revision) {
        if (revision == null) {
            store.revisions().requireKept(number);
            throw new FailureException(new Failure.NotFound("There is no revision " + number + "."));
        }
        return revision;
    }

    private static long number(ApiCall call, String name) {
        return Long.parseLong(call.parameters().required(name));
    }

    private Answer diff(ApiCall call) {
        long from = number(call, "number");
        long to = number(call, "other");
        int limit = call.parameters().integer("limit", DIFF_DEFAULT);
        List<EntityEdit> edits = store.revisions().between(Math.min(from, to), Math.max(from, to), limit + 1);
        store.revisions().requireKept(from, to);
        List<EntityEdit> shown = edits.subList(0, Math.min(limit, edits.size()));
        return Answer.ok(new RevisionDiff(
                from,
                to,
                edits.size() > limit,
                differences.of(
                        from <= to
                                ? shown
                                : shown.stream().map(EntityEdit::inverse).toList())));
    }

    private Answer config(ApiCall call) {
        long number = number(call, "number");
        Snapshot current = current(number);
        Snapshot then = current;
        if (number < current.revision()) {
            List<EntityEdit> since = store.revisions().between(number, current.revision(), STATE_CHANGES_MAX + 1);
            if (since.size() > STATE_CHANGES_MAX) {
                throw new FailureException(new Failure.NotFound("The state at revision " + number
                        + " differs in more than " + STATE_CHANGES_MAX + " resources from the current one."));
            }
            List<EntityChange> back = since.stream()
                    .map(edit -> new EntityChange(edit.kind(), edit.id(), edit.before()))
                    .toList();
            then = Snapshot.of(number, current.state().with(back));
        }
        // The result is right only if both revisions were still kept while the changes were read.
        store.revisions().requireKept(number, current.revision());
        return configs.shown(then);
    }

    /**
     * Returns the current state, once it is not before {@code number}, which another control plane may have committed.
     */
    private Snapshot current(long number) {
        if (number > store.log().current().revision()) {
            store.revisions().requireKept(number);
            store.log().hint();
            store.log()
                    .reached(number)
                    .timeout(BEHIND_SECONDS, TimeUnit.SECONDS)
                    .otherwiseEmpty()
                    .await();
        }
        Snapshot current = store.log().current();
        if (number > current.revision()) {
            throw new FailureException(new Failure.Unavailable("This control plane is behind the database, at revision "
                    + current.revision() + " (expected: " + number + ")."));
        }
        return current;
    }

    private Answer rollBack(ApiCall call) {
        Acknowledgements.timeout(call.parameters());
        long number = number(call, "number");
        Rollback what = read(call);
        store.revisions().requireKept(number);
        Precondition precondition = call.precondition();
        RollBackResult done = states.rollBack(number, what.kind(), what.id(), precondition, call.write());
        return Answer.ok(new RollbackResult(
                        acknowledgements.of(done.committed(), call.parameters()),
                        differences.of(done.committed().edits())))
                .tagged(done.tag());
    }

    private static Rollback read(ApiCall call) {
        @Nullable Rollback what;
        try {
            what = Json.read(call.body(), Rollback.class);
        } catch (IllegalArgumentException e) {
            throw FailureException.invalid(Faults.plain("", String.valueOf(e.getMessage())));
        }
        if (what == null) {
            throw FailureException.invalid("", Mismatch.of("null", "an object"));
        }
        if ((what.kind() == null) != (what.id() == null)) {
            String absent = what.kind() == null ? "/kind" : "/id";
            throw FailureException.invalid(absent, Mismatch.absent("kind and id together, or neither"));
        }
        return what;
    }

    private Answer acks(ApiCall call) {
        long number = number(call, "number");
        Revision revision = found(number, store.revisions().find(number));
        List<GatewayAck> acks = store.database().await(fleet.acks(number, revision.committedAt()));
        return Answer.ok(new RevisionAcks(
                number,
                revision.committedAt(),
                count(acks, AnswerKind.ACK),
                count(acks, AnswerKind.NACK),
                count(acks, AnswerKind.PENDING),
                acks));
    }

    private static int count(List<GatewayAck> acks, AnswerKind kind) {
        return (int) acks.stream().filter(ack -> ack.answer() == kind).count();
    }
}

package io.sigma.dataplane.link;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.model.Refusal;
import io.sigma.snapshot.Announcement;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.TrafficEntry;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a gateway at the newest revision. Announcements and replies to its own status are hints. When it lacks a
 * revision it fetches it, one transfer at a time, checks the state hash, hands the snapshot to the {@link
 * SnapshotTarget}, and reports the outcome at once. All state is confined to one event loop.
 */
public final class SnapshotClient {

    /** Interval of the status that also asks for the newest revision. */
    static final long STATUS_MILLIS = 2_000;

    /** A refused revision is tried again after this, because what was wrong may have been the machine. */
    static final long REFUSED_RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * So many replies in a row that contradict what this gateway serves (an older revision, or the same with another
     * hash) mean that the control plane has another history, as after a restored backup. A control plane asks its
     * database before it contradicts; one reply alone may have been overtaken by another one.
     */
    static final int CONTRADICTIONS_MAX = 2;

    /** After a reply that contradicts the next one is asked for so soon. */
    static final long CONTRADICTION_MILLIS = 500;

    private static final long GOODBYE_SECONDS = 2;

    /** Longer explanations are cut: they travel with every status. */
    private static final int DETAIL_LENGTH_MAX = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotClient.class);

    private final Context context;
    private final ControlLink link;
    private final SnapshotTarget target;
    private final GatewayIdentity identity;
    private final Voter voter;

    // Confined to the context.
    private boolean fetching;
    private long hinted;
    private boolean wantsFull;
    private boolean triedFull;
    private long attempted;
    private String attemptedHash = "";
    /** The snapshot of {@link #attempted}, once it is assembled. */
    private @Nullable Snapshot candidate;

    private int contradictions;
    private @Nullable Refusal refusal;
    /** The refused snapshot; null if it could not be assembled. */
    private @Nullable Snapshot refused;

    private long refusedNanos;
    private boolean closed;

    private SnapshotClient(Vertx vertx, ControlLink link, SnapshotTarget target, GatewayIdentity identity) {
        this.context = vertx.getOrCreateContext();
        this.link = link;
        this.target = target;
        this.identity = identity;
        this.voter = new Voter(vertx, context, link, target, identity.id(), this::refusedRevision, () -> refused);
    }

    /** Returns why no newer revision will be served soon; null when one may be. */
    private @Nullable String refusedRevision() {
        Refusal last = refusal;
        return last == null ? null : "refused revision " + last.revision();
    }

    /**
     * Returns the running client, which opens {@code link} and owns it.
     *
     * @param vertx whose event loop the client takes one of; that of the link where it has its own
     */
    public static SnapshotClient start(Vertx vertx, ControlLink link, SnapshotTarget target, GatewayIdentity identity) {
        return start(vertx, link, target, identity, null, null, null);
    }

    /**
     * As {@link #start(Vertx, ControlLink, SnapshotTarget, GatewayIdentity)}, reports the health of nodes, and answers
     * questions.
     *
     * @param nodes null for none
     * @param routes null for no answers
     * @param traffic returns what came since it was asked before, and may block; null for none
     */
    public static SnapshotClient start(
            Vertx vertx,
            ControlLink link,
            SnapshotTarget target,
            GatewayIdentity identity,
            @Nullable NodeReports nodes,
            @Nullable RouteAnswers routes,
            @Nullable Supplier<List<TrafficEntry>> traffic) {
        SnapshotClient client = new SnapshotClient(vertx, link, target, identity);
        HealthReporter reporter = nodes == null ? null : new HealthReporter(link, identity.id(), nodes);
        link.onAnnouncement(announcement -> client.onLoop(() -> client.hear(announcement)));
        if (routes != null) {
            link.onQuestion(identity.id(), new QuestionResponder(link, routes)::hear);
        }
        link.onProposal(proposal -> client.onLoop(() -> client.voter.hear(proposal)));
        link.onConnected(() -> client.onLoop(() -> {
            client.report();
            if (reporter != null) {
                reporter.reached();
            }
        }));
        if (reporter != null) {
            client.each(HealthReporter.TICK_MILLIS, reporter::tick);
        }
        if (traffic != null) {
            TrafficReporter reports = new TrafficReporter(vertx, client.context, link, identity, traffic);
            client.each(TrafficReporter.TICK_MILLIS, reports::tick);
        }
        client.each(STATUS_MILLIS, () -> {
            client.voter.tick();
            client.report();
        });
        link.open();
        return client;
    }

    /** Says goodbye, so that nobody waits for this gateway, and closes the link; completes within a few seconds. */
    public Future<Void> close() {
        return Future.future(promise -> context.runOnContext(nothing -> {
            closed = true;
            link.request(SnapshotProtocol.STATUS, status(true))
                    .timeout(GOODBYE_SECONDS, TimeUnit.SECONDS)
                    .transform(said -> link.close())
                    .onComplete(promise);
        }));
    }

    /** Does {@code action} in that interval, until the client is closed. */
    private void each(long millis, Runnable action) {
        Vertx vertx = context.owner();
        vertx.setPeriodic(millis, timer -> {
            if (closed) {
                vertx.cancelTimer(timer);
            } else {
                onLoop(action);
            }
        });
    }

    private void onLoop(Runnable action) {
        context.runOnContext(nothing -> {
            if (!closed) {
                action.run();
            }
        });
    }

    // --- Saying what is served.

    private void report() {
        link.request(SnapshotProtocol.STATUS, status(false), Announcement.class)
                .onSuccess(reply -> onLoop(() -> hearReply(reply)))
                .onFailure(
                        e -> LOG.debug("No control plane received the status of {}: {}", identity.id(), e.toString()));
    }

    /** Says it at once; should it be lost, the next report says the same. */
    private void acknowledge() {
        link.tell(SnapshotProtocol.STATUS, status(false))
                .onFailure(
                        e -> LOG.debug("No control plane receives the status of {}: {}", identity.id(), e.toString()));
    }

    private GatewayStatus status(boolean stopping) {
        Snapshot current = target.current();
        return new GatewayStatus(
                identity.id(),
                identity.host(),
                identity.version(),
                identity.startedAt(),
                current.revision(),
                current.hash().hex(),
                refusal,
                stopping);
    }

    // --- Hearing of revisions.

    private void hear(Announcement announcement) {
        if (contradicts(announcement)) {
            // Nobody may be believed who was not asked: the reply to a status is what counts.
            report();
            return;
        }
        hinted = Math.max(hinted, announcement.revision());
        if (announcement.revision() > target.current().revision() && !isRefused(announcement)) {
            Snapshot compiled = fetching ? null : voter.take(announcement);
            if (compiled == null) {
                fetch();
            } else {
                applyCompiled(compiled);
            }
        }
    }

    /** The proposal that it voted for was committed: there is nothing to fetch. */
    private void applyCompiled(Snapshot compiled) {
        fetching = true;
        triedFull = false;
        attempt(compiled.revision(), compiled.hash().hex());
        candidate = compiled;
        // Composed, so that what is thrown on the way is a failure as well: `fetching` must not stay set.
        Future.succeededFuture()
                .compose(begun -> target.apply(compiled))
                .map(true)
                .onComplete(this::applied);
    }

    private void attempt(long revision, String stateHash) {
        attempted = revision;
        attemptedHash = stateHash;
        candidate = null;
    }

    private void applied(AsyncResult<Boolean> result) {
        onLoop(() -> {
            fetching = false;
            if (result.succeeded()) {
                taken(result.result());
            } else {
                failed(result.cause());
            }
        });
    }

    private void hearReply(Announcement reply) {
        Snapshot current = target.current();
        if (!contradicts(reply)) {
            contradictions = 0;
            if (reply.revision() == current.revision()) {
                // The refused revision is not the newest any more, as after a database was restored.
                refusal = null;
                refused = null;
            }
            hear(reply);
            return;
        }
        contradictions++;
        if (isRefused(reply)) {
            return;
        }
        if (contradictions < CONTRADICTIONS_MAX) {
            context.owner().setTimer(CONTRADICTION_MILLIS, timer -> onLoop(this::report));
            return;
        }
        if (reply.revision() == 0) {
            LOG.error(
                    "The store of control plane {} is empty: this gateway keeps serving revision {}",
                    reply.controlPlaneId(),
                    current.revision());
            contradictions = 0;
            return;
        }
        LOG.warn(
                "Control plane {} has another history: revision {} ({}), not {} ({}); this gateway takes its full state",
                reply.controlPlaneId(),
                reply.revision(),
                reply.stateHash(),
                current.revision(),
                current.hash().hex());
        contradictions = 0;
        hinted = 0;
        wantsFull = true;
        fetch();
    }

    /** Returns whether what is served is not on the way to {@code announced}. */
    private boolean contradicts(Announcement announced) {
        Snapshot current = target.current();
        return announced.revision() < current.revision()
                || (announced.revision() == current.revision()
                        && !announced.stateHash().equals(current.hash().hex()));
    }

    private boolean isRefused(Announcement announcement) {
        Refusal last = refusal;
        return last != null
                && last.revision() == announcement.revision()
                && announcement.stateHash().equals(last.stateHash())
                && System.nanoTime() - refusedNanos < REFUSED_RETRY_NANOS;
    }

    // --- Fetching and applying.

    private void fetch() {
        if (fetching) {
            return;
        }
        fetching = true;
        Snapshot current = target.current();
        Snapshot base = wantsFull ? Snapshot.NONE : current;
        triedFull = wantsFull;
        wantsFull = false;
        Future.succeededFuture()
                .compose(begun -> Transfer.start(link, identity.id(), base))
                .compose(fetched -> fetched.isEmpty()
                        ? Future.succeededFuture(false)
                        : apply(base, fetched.get()).map(true))
                .onComplete(this::applied);
    }

    private Future<Void> apply(Snapshot base, Transfer.Fetched fetched) {
        onLoop(() -> attempt(fetched.revision(), fetched.stateHash()));
        Snapshot from = fetched.full() ? Snapshot.NONE : base;
        return Assembly.of(target, from, fetched.compressed(), fetched.revision(), fetched.stateHash())
                .compose(snapshot -> {
                    onLoop(() -> candidate = snapshot);
                    return target.apply(snapshot);
                });
    }

    private void taken(boolean changed) {
        candidate = null;
        if (changed) {
            refusal = null;
            refused = null;
            LOG.debug(
                    "Serving revision {} of {} resources",
                    target.current().revision(),
                    target.current().state().size());
            acknowledge();
            voter.advanced();
            // Announced while this one was on its way.
            if (hinted > target.current().revision()) {
                fetch();
            }
        }
    }

    private void failed(Throwable cause) {
        switch (cause) {
            case SnapshotRefused refused -> refuse(refused.pointer(), refused.detail());
            case HashMismatch mismatch
            when !triedFull -> {
                LOG.warn("A delta is discarded and the full state asked for: {}", mismatch.getMessage());
                wantsFull = true;
                fetch();
            }
            case HashMismatch mismatch -> refuse("", String.valueOf(mismatch.getMessage()));
            default -> LOG.warn("A snapshot could not be fetched; the gateway tries again: {}", cause.toString());
        }
    }

    private void refuse(String pointer, String detail) {
        Refusal last = refusal;
        boolean again = last != null && last.revision() == attempted && attemptedHash.equals(last.stateHash());
        long served = target.current().revision();
        LOG.error(
                "Revision {} is refused, {}: {} {}",
                attempted,
                served == 0 ? "and no revision is served as a whole" : "revision " + served + " stays",
                pointer,
                detail);
        refusal = Refusal.builder()
                .revision(attempted)
                .stateHash(attemptedHash)
                .pointer(pointer.isEmpty() ? null : pointer)
                .message(detail.substring(0, Math.min(detail.length(), DETAIL_LENGTH_MAX)))
                .build();
        refused = candidate;
        candidate = null;
        refusedNanos = System.nanoTime();
        report();
        voter.advanced();
        // Once: what was hinted may be of a history that there is no more, and then this is the newest there is.
        if (hinted > attempted && !again) {
            fetch();
        }
    }
}

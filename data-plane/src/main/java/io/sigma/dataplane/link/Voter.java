package io.sigma.dataplane.link;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.model.VoteKind;
import io.sigma.snapshot.Announcement;
import io.sigma.snapshot.Proposal;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.Vote;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles what control planes are about to commit and votes on it, one proposal at a time, the newest. A compiled
 * proposal is kept until it is announced, withdrawn, or old. Confined to the event loop of its {@link SnapshotClient}.
 */
final class Voter {

    /** The time that a gateway that is behind has to catch up before it abstains, in milliseconds. */
    static final long BEHIND_MILLIS = 500;

    /** The time that a proposal is kept after the end of its vote, in milliseconds. */
    private static final long KEPT_MILLIS = 10_000;

    /** Longer explanations are cut. */
    private static final int REASON_LENGTH_MAX = 4096;

    private static final long AGAIN_MILLIS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(Voter.class);

    private final Vertx vertx;
    private final Context context;
    private final ControlLink link;
    private final SnapshotTarget target;
    private final String gatewayId;
    private final Supplier<@Nullable String> stuck;
    private final Supplier<@Nullable Snapshot> refused;

    private @Nullable Proposal proposal;
    /** When the proposal is old, as {@link System#nanoTime()}. */
    private long expiryNanos;

    private boolean begun;
    private @Nullable Snapshot compiled;
    /** The snapshot that was served when {@link #compiled} was compiled. */
    private Snapshot upon = Snapshot.NONE;

    /**
     * @param stuck returns why this gateway will not catch up by itself; null when it may
     * @param refused returns the snapshot that was refused last and is newer than what is served; null when there is
     *     none, or it never came to be one
     */
    Voter(
            Vertx vertx,
            Context context,
            ControlLink link,
            SnapshotTarget target,
            String gatewayId,
            Supplier<@Nullable String> stuck,
            Supplier<@Nullable Snapshot> refused) {
        this.vertx = vertx;
        this.context = context;
        this.link = link;
        this.target = target;
        this.gatewayId = gatewayId;
        this.stuck = stuck;
        this.refused = refused;
    }

    /** Receives a proposal, or the withdrawal of one. */
    void hear(Proposal heard) {
        Proposal last = proposal;
        if (heard.withdrawn()) {
            if (last != null && last.id().equals(heard.id())) {
                drop();
            }
            return;
        }
        if (last != null && !last.id().equals(heard.id())) {
            drop();
        } else if (last != null) {
            return;
        }
        proposal = heard;
        begun = false;
        expiryNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(heard.timeoutMillis() + KEPT_MILLIS);
        consider();
    }

    /**
     * To be called now and then: a proposal that is old is dropped. A timer for each would be set and cancelled with
     * each change.
     */
    void tick() {
        if (proposal != null && System.nanoTime() - expiryNanos > 0) {
            drop();
        }
    }

    /**
     * To be called when the target serves or has refused another revision: a proposal may wait for it, or be old by it.
     */
    void advanced() {
        Proposal waiting = proposal;
        if (waiting != null && target.current().revision() >= waiting.revision()) {
            drop();
        } else if (waiting != null && !begun) {
            consider();
        }
    }

    /** Returns what was compiled for {@code announcement}, which is then no longer kept here; null when it was not. */
    @Nullable
    @SuppressWarnings("ReferenceEquality") // What was compiled upon another snapshot is not what would be compiled now.
    Snapshot take(Announcement announcement) {
        Snapshot ready = compiled;
        boolean fits = ready != null
                && ready.revision() == announcement.revision()
                && ready.hash().hex().equals(announcement.stateHash())
                && target.current() == upon;
        if (!fits) {
            return null;
        }
        forget();
        return ready;
    }

    private boolean isCurrent(Proposal one) {
        Proposal last = proposal;
        return last != null && last.id().equals(one.id());
    }

    private void forget() {
        proposal = null;
        compiled = null;
    }

    private void drop() {
        forget();
        if (begun) {
            target.discard();
        }
    }

    private void consider() {
        Proposal one = proposal;
        if (one == null) {
            return;
        }
        Snapshot current = target.current();
        Snapshot rejected = refused.get();
        if (isBase(current, one)) {
            begun = true;
            compile(one, current);
        } else if (rejected != null && isBase(rejected, one)) {
            // It is asked whether the change mends what is wrong: what counts is the state that it leads to.
            begun = true;
            compile(one, rejected);
        } else if (current.revision() == one.baseRevision()) {
            abstain(one, "has another history: hash " + current.hash().hex() + " at revision " + current.revision());
        } else if (current.revision() > one.baseRevision()) {
            abstain(one, "serves revision " + current.revision() + " already");
        } else {
            String reason = stuck.get();
            String behind = "is behind: serves revision " + current.revision();
            if (reason != null) {
                abstain(one, behind + ", " + reason);
                return;
            }
            vertx.setTimer(
                    Math.clamp(one.timeoutMillis() / 2, 1, BEHIND_MILLIS),
                    timer -> onLoop(() -> {
                        if (isCurrent(one) && !begun) {
                            abstain(one, behind);
                        }
                    }));
        }
    }

    private static boolean isBase(Snapshot snapshot, Proposal one) {
        return snapshot.revision() == one.baseRevision()
                && snapshot.hash().hex().equals(one.baseHash());
    }

    private void compile(Proposal one, Snapshot base) {
        upon = target.current();
        byte[] data = one.data();
        // Composed, so that what is thrown on the way is a failure as well: a write waits for this vote.
        Future.succeededFuture()
                .compose(begun -> data != null
                        ? Future.succeededFuture(data)
                        : Transfer.chunks(link, gatewayId, base, one.id(), one.chunks()))
                .compose(bytes -> Assembly.of(target, base, bytes, one.revision(), one.stateHash()))
                .compose(candidate -> target.prepare(candidate).map(candidate))
                .onComplete(done -> onLoop(() -> {
                    if (!isCurrent(one)) {
                        return;
                    }
                    if (done.succeeded()) {
                        compiled = done.result();
                        vote(one, VoteKind.ACCEPT, null, null);
                    } else if (done.cause() instanceof SnapshotRefused refused) {
                        LOG.warn(
                                "Revision {} would be refused: {} {}",
                                one.revision(),
                                refused.pointer(),
                                refused.detail());
                        forget();
                        vote(one, VoteKind.REFUSE, refused.pointer(), refused.detail());
                    } else {
                        abstain(one, String.valueOf(done.cause().getMessage()));
                    }
                }));
    }

    private void abstain(Proposal one, String reason) {
        drop();
        vote(one, VoteKind.ABSTAIN, null, reason);
    }

    private void vote(Proposal one, VoteKind kind, @Nullable String pointer, @Nullable String reason) {
        String told = reason == null ? null : reason.substring(0, Math.min(reason.length(), REASON_LENGTH_MAX));
        String where = pointer == null || pointer.isEmpty() ? null : pointer;
        Vote vote = new Vote(gatewayId, one.id(), kind, where, told);
        // No reply is needed: the control plane does not wait for a gateway whose connection ends.
        link.tell(SnapshotProtocol.VOTE, vote)
                .recover(e -> vertx.timer(AGAIN_MILLIS, TimeUnit.MILLISECONDS)
                        .compose(now -> link.tell(SnapshotProtocol.VOTE, vote)))
                .onFailure(e -> LOG.debug("No control plane receives the vote of {}: {}", gatewayId, e.toString()));
    }

    private void onLoop(Runnable action) {
        context.runOnContext(nothing -> action.run());
    }
}

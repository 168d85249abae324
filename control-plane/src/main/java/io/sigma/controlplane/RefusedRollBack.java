package io.sigma.controlplane;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.fleet.RefusedRevision;
import io.sigma.controlplane.resource.Part;
import io.sigma.controlplane.resource.Precondition;
import io.sigma.controlplane.resource.RollBackResult;
import io.sigma.controlplane.resource.StateService;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.model.GatewayState;
import io.sigma.snapshot.Snapshot;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rolls the newest revision back when gateways refuse it and none serves it: first the resource that they name, then,
 * where they serve the revision before, all of it. It is a write as any other, upon the revision that was refused:
 * gateways vote on it, and of several control planes that try one is first. Where another gateway serves the revision
 * nothing is done: then it is not the revision that is wrong. Thread-safe.
 */
final class RefusedRollBack implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RefusedRollBack.class);

    /** So long other gateways have to say what they think of the revision. */
    private static final long PATIENCE_MILLIS = 1_000;

    /** Gateways do not say a second time what they refuse: what failed is tried again by itself. */
    private static final long RETRY_MILLIS = 3_000;

    private static final int MESSAGE_LENGTH_MAX = 400;

    private static final String AUTHOR = "control-plane";

    private final StateService states;
    private final RevisionLog log;
    private final Fleet fleet;
    private final AtomicBoolean woken = new AtomicBoolean();
    /** Confined to the thread. */
    private boolean failing;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("sigma-roll-back").factory());

    private RefusedRollBack(StateService states, RevisionLog log, Fleet fleet) {
        this.states = states;
        this.log = log;
        this.fleet = fleet;
    }

    /** Begins to look after {@code fleet}. */
    static RefusedRollBack start(StateService states, RevisionLog log, Fleet fleet) {
        RefusedRollBack rollBack = new RefusedRollBack(states, log, fleet);
        fleet.onChange(gateway -> {
            if (gateway.state() == GatewayState.REFUSED) {
                rollBack.wake();
            }
        });
        return rollBack;
    }

    private void wake() {
        lookIn(PATIENCE_MILLIS);
    }

    private void lookIn(long millis) {
        if (woken.compareAndSet(false, true)) {
            try {
                thread.schedule(this::run, millis, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("Closed already");
            }
        }
    }

    private void run() {
        woken.set(false);
        try {
            look();
            failing = false;
        } catch (RuntimeException | Error e) {
            if (!failing) {
                LOG.error("The revision that gateways refuse cannot be rolled back yet", e);
            }
            failing = true;
            lookIn(RETRY_MILLIS);
        }
    }

    private void look() {
        Snapshot newest = log.current();
        RefusedRevision refused = fleet.refused().orElse(null);
        if (refused == null
                || refused.revision() != newest.revision()
                || refused.isWaived()
                || refused.served()
                || refused.good() == 0) {
            return;
        }
        rollBack(newest, refused);
    }

    private void rollBack(Snapshot newest, RefusedRevision refused) {
        String pointer = refused.first().pointer();
        RefusedRevision.Culprit culprit =
                pointer == null ? null : RefusedRevision.culprit(pointer).orElse(null);
        if (culprit != null && tried(newest, refused, culprit)) {
            return;
        }
        if (refused.good() == newest.revision() - 1 && tried(newest, refused, null)) {
            return;
        }
        LOG.error(
                "Revision {} is not rolled back automatically, because gateways would refuse that too. "
                        + "Writes wait for a revision that fixes it: {}",
                newest.revision(),
                refused.text());
    }

    /** @param one null for everything */
    private boolean tried(Snapshot newest, RefusedRevision refused, RefusedRevision.@Nullable Culprit one) {
        String text = "Rolled back: " + refused.text();
        WriteRequest request = new WriteRequest(
                AUTHOR, text.substring(0, Math.min(text.length(), MESSAGE_LENGTH_MAX)), "local", "rollBackRevision");
        try {
            RollBackResult done = states.rollBack(
                    refused.good(),
                    one == null ? null : one.type().kind(),
                    one == null ? null : one.id(),
                    Precondition.parse(Part.tag(newest.revision(), newest.hash()), null),
                    request);
            if (done.committed().changed()) {
                LOG.warn("Revision {} is rolled back: {}", newest.revision(), refused.text());
            }
            return done.committed().changed();
        } catch (FailureException e) {
            if (e.failure() instanceof Failure.Unavailable || e.failure() instanceof Failure.OutcomeUnknown) {
                // It says nothing about the roll-back.
                throw e;
            }
            LOG.warn("Revision {} is not rolled back: {}", newest.revision(), e.getMessage());
            return false;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

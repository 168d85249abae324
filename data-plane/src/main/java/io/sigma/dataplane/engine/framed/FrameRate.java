package io.sigma.dataplane.engine.framed;

import io.sigma.dataplane.engine.body.BodyRate;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.model.ServerLimits;
import org.jspecify.annotations.Nullable;

/**
 * Watches that a begun frame of a client comes at the least rate of a body, on average over the idle time of the
 * connection: else a byte now and then would hold a connection for as long as the largest frame allows. Confined to the
 * event loop.
 */
final class FrameRate implements BodyRate.Watcher {

    private final Deadlines deadlines;
    private final Runnable slow;
    /** Null until a frame came in more than one part. */
    private @Nullable BodyRate rate;

    private boolean watching;

    /**
     * @param slow called when a frame is too slow; once for each period
     */
    FrameRate(Deadlines deadlines, Runnable slow) {
        this.deadlines = deadlines;
        this.slow = slow;
    }

    /** Notes that bytes of the client came. */
    void received(int bytes) {
        if (watching && rate != null) {
            rate.received(bytes);
        }
    }

    /**
     * Begins a period, unless one has begun, or ends it.
     *
     * @param waits whether the gateway waits for the rest of a frame
     */
    void watch(boolean waits, ServerLimits limits) {
        if (waits == watching || limits.bodyBytesPerSecondMin() == 0) {
            return;
        }
        watching = waits;
        BodyRate kept = rate;
        if (waits) {
            kept = new BodyRate(deadlines, limits.idleTimeoutMillis(), limits.bodyBytesPerSecondMin(), this);
            rate = kept;
            kept.start();
        } else if (kept != null) {
            rate = null;
            kept.stop();
        }
    }

    /** Ends the period: the connection ends. */
    void stop() {
        BodyRate kept = rate;
        watching = false;
        rate = null;
        if (kept != null) {
            kept.stop();
        }
    }

    @Override
    public boolean mayPause() {
        return true;
    }

    @Override
    public void onPauseEnd() {
        // Nobody counts its pauses.
    }

    @Override
    public void onSlow() {
        slow.run();
    }
}

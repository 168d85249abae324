package io.sigma.dataplane.engine.body;

import io.sigma.dataplane.loop.Kept;
import org.jspecify.annotations.Nullable;

/**
 * Pauses and resumes reading of a request's body, and requires the least rate while it is read. Confined to the event
 * loop.
 */
abstract class BodyFlow {

    private final BodySource source;

    @Kept("null once the body is closed")
    private @Nullable BodyRate rate;

    private boolean paused;
    private boolean ended;

    BodyFlow(BodySource source) {
        this.source = source;
    }

    /** Makes it the flow of another body; the one before is closed. */
    final void flowAgain() {
        assert rate == null;
        paused = false;
        ended = false;
    }

    final BodySource source() {
        return source;
    }

    public final boolean isEnded() {
        return ended;
    }

    /** Notes that there is no body. */
    public final void none() {
        ended = true;
    }

    /** Notes that all of it has come. */
    final void allCame() {
        ended = true;
        stopRate();
    }

    public final void pause() {
        if (!paused && !ended) {
            paused = true;
            stopRate();
            source.pause();
        }
    }

    public final void resume() {
        if (paused && !ended) {
            paused = false;
            startRate();
            source.resume();
        }
    }

    // --- How fast it comes

    /** Watches how fast it comes, from now on or from its first byte. */
    public final void watch(BodyRate watching, boolean now) {
        rate = watching;
        if (now) {
            startRate();
        }
    }

    public final boolean isWatched() {
        return rate != null;
    }

    /** Watches no more how fast it comes. */
    public final void unwatch() {
        stopRate();
        rate = null;
    }

    /** The client was told to send it. */
    public final void awaited() {
        startRate();
    }

    /** Notes that a part of a piece has come that follows when it is complete. */
    public final void arrives(int octets) {
        if (rate != null && !paused && !ended) {
            rate.received(octets);
        }
    }

    private void startRate() {
        if (rate != null && !ended && !paused) {
            rate.start();
        }
    }

    final void stopRate() {
        if (rate != null) {
            rate.stop();
        }
    }
}

package io.sigma.dataplane.engine.http2;

/**
 * The streams of a connection that were reset by this side last. Frames that its peer sent before it knew are under way
 * then, and are not errors (RFC 9113 §5.1). Confined to the event loop.
 */
final class ResetStreams {

    private static final int STREAMS_MAX = 256;

    /** Frames that are let pass of one stream; a peer that goes on sends them on purpose. */
    static final int FRAMES_MAX = 1_000;

    private final int[] ids = new int[STREAMS_MAX];
    private final int[] frames = new int[STREAMS_MAX];
    private int next;

    /** Notes that {@code stream} was reset. */
    void add(int stream) {
        ids[next] = stream;
        frames[next] = 0;
        next = (next + 1) % STREAMS_MAX;
    }

    /** Notes that a frame has arrived of a stream that is closed; returns whether it may have been under way. */
    boolean mayBeLate(int stream) {
        int arrived = arrived(stream);
        return arrived > 0 && arrived <= FRAMES_MAX;
    }

    /**
     * Notes that a frame has arrived of a stream that is closed.
     *
     * @return how many have arrived of it since it was reset, with this one; 0 if this side did not reset it
     */
    int arrived(int stream) {
        for (int i = 0; i < STREAMS_MAX; i++) {
            if (ids[i] == stream) {
                frames[i] = Math.min(frames[i], FRAMES_MAX) + 1;
                return frames[i];
            }
        }
        return 0;
    }
}

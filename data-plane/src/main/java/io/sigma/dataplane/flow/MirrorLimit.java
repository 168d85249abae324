package io.sigma.dataplane.flow;

/**
 * Bounds the copies of requests that are in progress on each event loop, and their memory. {@code Mirroring} asks it
 * before each copy. Each slot is confined to its loop.
 */
public final class MirrorLimit {

    private static final int PER_LOOP_MAX = 1024;

    private final int[] inProgress;
    private final long[] bytes;
    private final long bytesPerLoopMax;

    /**
     * @param bytesMax how much memory the copies take on all loops together
     */
    public MirrorLimit(int loops, long bytesMax) {
        this.inProgress = new int[loops];
        this.bytes = new long[loops];
        this.bytesPerLoopMax = bytesMax / loops;
    }

    /** Returns whether another copy may begin; {@link #ended} follows if so. */
    boolean tryBegin(int loop) {
        if (inProgress[loop] >= PER_LOOP_MAX) {
            return false;
        }
        inProgress[loop]++;
        return true;
    }

    /** Returns whether a copy that has begun may hold {@code more} bytes until it has ended. */
    boolean tryHold(int loop, long more) {
        if (bytes[loop] + more > bytesPerLoopMax) {
            return false;
        }
        bytes[loop] += more;
        return true;
    }

    /**
     * @param held what the copy was allowed to hold, in bytes
     */
    void ended(int loop, long held) {
        inProgress[loop]--;
        bytes[loop] -= held;
    }
}

package io.sigma.dataplane;

/** Bounds the copies of requests that are in progress on each event loop. Each slot is confined to its loop. */
final class MirrorLimit {

    /** With the longest body that is kept by default, 64 KiB, copies hold at most 64 MiB a loop. */
    private static final int PER_LOOP_MAX = 1024;

    private final int[] inProgress;

    MirrorLimit(int loops) {
        this.inProgress = new int[loops];
    }

    /** Returns whether another copy may begin; {@link #ended} follows if so. */
    boolean tryBegin(int loop) {
        if (inProgress[loop] >= PER_LOOP_MAX) {
            return false;
        }
        inProgress[loop]++;
        return true;
    }

    void ended(int loop) {
        inProgress[loop]--;
    }
}

package io.sigma.controlplane.api;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Stack traces for the log. Pure. */
final class Traces {

    /** A defect is found by the nearest frames; what recursed without an end repeats them a thousand times. */
    private static final int FRAMES_MAX = 40;

    private static final int CAUSES_MAX = 8;

    private Traces() {}

    /** Returns {@code failure} after its stack trace, and those of its causes, were cut to their nearest frames. */
    static @Nullable Throwable shortened(@Nullable Throwable failure) {
        Throwable one = failure;
        for (int i = 0; one != null && i < CAUSES_MAX; i++) {
            StackTraceElement[] frames = one.getStackTrace();
            if (frames.length > FRAMES_MAX) {
                one.setStackTrace(Arrays.copyOf(frames, FRAMES_MAX));
            }
            one = one.getCause();
        }
        return failure;
    }
}

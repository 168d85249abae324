package io.sigma.dataplane.engine.uring;

import io.sigma.dataplane.loop.KernelFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Moves octets between sockets and pipes without copying them (splice(2)). Confined to one event loop. */
final class Splice {

    /** Of {@code fcntl.h} on Linux. */
    private static final int F_SETPIPE_SZ = 1031;

    private static final int MOVE_NONBLOCK = 1 | 2;

    private static final @Nullable MethodHandle SPLICE = KernelFunctions.find("splice");
    private static final @Nullable MethodHandle FCNTL = KernelFunctions.find("fcntl");

    private final MemorySegment state = KernelFunctions.state(Arena.ofAuto());

    /** Returns whether this machine can. */
    static boolean isKnown() {
        return SPLICE != null && FCNTL != null;
    }

    /**
     * Returns how many octets of {@code length} were moved, 0 when there will be none, or an error's negative number.
     */
    @SuppressWarnings("NullAway") // isKnown() was asked.
    int move(int from, int to, int length) {
        try {
            long moved = (long)
                    SPLICE.invokeExact(state, (long) from, 0L, (long) to, 0L, (long) length, (long) MOVE_NONBLOCK);
            return moved >= 0 ? (int) moved : -KernelFunctions.errno(state);
        } catch (Throwable e) {
            throw new IllegalStateException("splice throws nothing", e);
        }
    }

    /** Makes a pipe hold {@code bytes}, unless the machine does not allow it. */
    @SuppressWarnings("NullAway") // isKnown() was asked.
    void enlarge(int pipe, int bytes) {
        try {
            long ignored = (long) FCNTL.invokeExact(state, (long) pipe, (long) F_SETPIPE_SZ, (long) bytes, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException("fcntl throws nothing", e);
        }
    }
}

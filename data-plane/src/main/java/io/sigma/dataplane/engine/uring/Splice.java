package io.sigma.dataplane.engine.uring;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Moves octets between sockets and pipes without copying them (splice(2)). Confined to one event loop. */
final class Splice {

    /** Of {@code fcntl.h} on Linux. */
    private static final int F_SETPIPE_SZ = 1031;

    private static final int MOVE_NONBLOCK = 1 | 2;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final @Nullable MethodHandle SPLICE = function(
            "splice",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT),
            Linker.Option.captureCallState("errno"));
    private static final @Nullable MethodHandle FCNTL = function(
            "fcntl",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));

    private final MemorySegment state = Arena.ofAuto().allocate(STATE);

    /** Returns whether this machine can. */
    static boolean isKnown() {
        return SPLICE != null && FCNTL != null;
    }

    @SuppressWarnings("restricted") // Descriptors and numbers, and memory of this object.
    private static @Nullable MethodHandle function(String name, FunctionDescriptor type, Linker.Option option) {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find(name)
                .map(symbol -> linker.downcallHandle(symbol, type, option))
                .orElse(null);
    }

    /**
     * Returns how many octets of {@code length} were moved, 0 when there will be none, or an error's negative number.
     */
    @SuppressWarnings("NullAway") // isKnown() was asked.
    int move(int from, int to, int length) {
        try {
            long moved = (long) SPLICE.invokeExact(
                    state, from, MemorySegment.NULL, to, MemorySegment.NULL, (long) length, MOVE_NONBLOCK);
            return moved >= 0 ? (int) moved : -(int) ERRNO.get(state, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException("splice throws nothing", e);
        }
    }

    /** Makes a pipe hold {@code bytes}, unless the machine does not allow it. */
    @SuppressWarnings("NullAway") // isKnown() was asked.
    void enlarge(int pipe, int bytes) {
        try {
            int ignored = (int) FCNTL.invokeExact(pipe, F_SETPIPE_SZ, bytes);
        } catch (Throwable e) {
            throw new IllegalStateException("fcntl throws nothing", e);
        }
    }
}

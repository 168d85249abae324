package io.sigma.dataplane.engine.uring;

import io.netty.buffer.ByteBuf;
import io.netty.channel.uring.IoUringIoHandler;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of an event loop that the kernel fills. Netty, which registers them, shows them to its own channels only.
 * Confined to the event loop.
 */
final class RingBuffers {

    private static final @Nullable MethodHandle FIND;
    private static final @Nullable MethodHandle USE;

    static {
        MethodHandle find = null;
        MethodHandle use = null;
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(IoUringIoHandler.class, MethodHandles.lookup());
            Class<?> ring = lookup.findClass("io.netty.channel.uring.IoUringBufferRing");
            find = lookup.findVirtual(
                            IoUringIoHandler.class, "findBufferRing", MethodType.methodType(ring, short.class))
                    .asType(MethodType.methodType(Object.class, IoUringIoHandler.class, short.class));
            use = lookup.findVirtual(
                            ring,
                            "useBuffer",
                            MethodType.methodType(ByteBuf.class, short.class, int.class, boolean.class))
                    .asType(MethodType.methodType(ByteBuf.class, Object.class, short.class, int.class, boolean.class));
        } catch (ReflectiveOperationException e) {
            find = null;
        }
        FIND = find;
        USE = use;
    }

    private final Object ring;
    private final short group;

    private RingBuffers(Object ring, short group) {
        this.ring = ring;
        this.group = group;
    }

    /** Returns whether buffers can be reached with this version of Netty. */
    static boolean areReachable() {
        return FIND != null && USE != null;
    }

    /**
     * Returns the buffers that are registered as {@code group}.
     *
     * @throws IllegalArgumentException when there are none
     */
    @SuppressWarnings("NullAway") // areReachable() was asked.
    static RingBuffers of(IoUringIoHandler handler, short group) {
        try {
            return new RingBuffers((Object) FIND.invokeExact(handler, group), group);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    short group() {
        return group;
    }

    /** Returns what a completion says was received, to be released; another buffer takes its place. */
    @SuppressWarnings("NullAway") // There would be no object else.
    ByteBuf take(int bytes, int flags) {
        short id = (short) (flags >>> RingOps.BUFFER_SHIFT);
        try {
            return (ByteBuf) USE.invokeExact(ring, id, bytes, (flags & RingOps.BUFFER_MORE) != 0);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Throws an error; returns anything else as what can be thrown. */
    static RuntimeException rethrown(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }
}

package io.sigma.dataplane.engine.uring;

import io.netty.channel.unix.IovArray;
import io.netty.channel.uring.IoUringIoHandler;
import java.lang.invoke.LambdaConversionException;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues of the ring that one of Netty's handlers has, which Netty keeps private. Confined to the event loop.
 */
@SuppressWarnings("NullAway") // isReachable() was asked.
final class NettyRing {

    private static final Logger LOG = LoggerFactory.getLogger(NettyRing.class);

    private static final byte TIMEOUT = 11;

    private static final @Nullable MethodHandle SUBMIT_AND_WAIT;
    private static final @Nullable MethodHandle ENQUEUE;
    private static final @Nullable MethodHandle TAIL;
    private static final @Nullable MethodHandle HEAD;
    private static final @Nullable MethodHandle HAS_COMPLETIONS;
    private static final @Nullable MethodHandle AWAITED;
    private static final @Nullable MethodHandle AWAIT_WAKE_UPS;
    private static final @Nullable MethodHandle CLEAR_MESSAGES;

    private static final @Nullable MethodHandle SUBMIT;
    private static final @Nullable MethodHandle HANDLE;
    private static final @Nullable MethodHandle CALLBACK;
    private static final @Nullable MethodHandle SLICES;
    private static final @Nullable MethodHandle RING;
    private static final @Nullable MethodHandle SUBMISSIONS;
    private static final @Nullable MethodHandle COMPLETIONS;
    private static final @Nullable MethodHandle VECTORS;
    private static final @Nullable MethodHandle MESSAGES;
    private static final long NOBODY;

    static {
        Handles found = Handles.find();
        SUBMIT_AND_WAIT = found.submitAndWait;
        ENQUEUE = found.enqueue;
        TAIL = found.tail;
        HEAD = found.head;
        HAS_COMPLETIONS = found.hasCompletions;
        AWAITED = found.awaited;
        AWAIT_WAKE_UPS = found.awaitWakeUps;
        CLEAR_MESSAGES = found.clearMessages;
        SUBMIT = found.submit;
        HANDLE = found.handle;
        CALLBACK = found.callback;
        SLICES = found.slices;
        RING = found.ring;
        SUBMISSIONS = found.submissions;
        COMPLETIONS = found.completions;
        VECTORS = found.vectors;
        MESSAGES = found.messages;
        NOBODY = found.nobody;
    }

    private final IoUringIoHandler handler;
    private final Object submissions;
    private final Object completions;
    private final IovArray vectors;
    private final Object messages;
    /** What Netty does with a completion. */
    private final Object callback;

    NettyRing(IoUringIoHandler handler) {
        this.handler = handler;
        try {
            Object ring = RING.invoke(handler);
            this.submissions = SUBMISSIONS.invoke(ring);
            this.completions = COMPLETIONS.invoke(ring);
            this.vectors = (IovArray) VECTORS.invoke(handler);
            this.messages = MESSAGES.invoke(handler);
            this.callback = CALLBACK.invoke(handler);
            share((ByteBuffer[]) SLICES.invoke(completions));
        } catch (Throwable e) {
            throw RingBuffers.rethrown(e);
        }
    }

    /**
     * Netty keeps a buffer for each place of the queue, 1 MiB in all, for completions of 32 bytes. No operation of
     * Sigma has such a completion.
     */
    private static void share(ByteBuffer @Nullable [] slices) {
        if (slices != null) {
            Arrays.fill(slices, slices[0]);
        }
    }

    /** Returns whether the queues of this version of Netty are known, and the kernel takes all of one at once. */
    static boolean isReachable() {
        return MESSAGES != null;
    }

    /** Returns whether there is something that the kernel has done. */
    boolean hasCompletions() {
        try {
            return (boolean) HAS_COMPLETIONS.invokeExact(completions);
        } catch (Throwable e) {
            throw RingBuffers.rethrown(e);
        }
    }

    /** Returns the number of what will be submitted next, from which it goes up by one; it may be negative. */
    int tail() {
        try {
            return (int) TAIL.invokeExact(submissions);
        } catch (Throwable e) {
            throw RingBuffers.rethrown(e);
        }
    }

    /** Returns the number of the first that the kernel has not taken yet. */
    int head() {
        try {
            return (int) HEAD.invokeExact(submissions);
        } catch (Throwable e) {
            throw RingBuffers.rethrown(e);
        }
    }

    /** Asks the kernel for wake-ups by other threads, unless it was asked. */
    void awaitWakeUps() {
        try {
            if ((long) AWAITED.invokeExact(handler) == 0) {
                AWAIT_WAKE_UPS.invokeExact(handler);
            }
        } catch (Throwable e) {
            throw RingBuffers.rethrown(e);
        }
    }

    /**
     * Has the kernel do something nobody needs to know of after a time.
     *
     * @param time of a {@code __kernel_timespec}, which is read with the next submission
     */
    void timer(long time) {
        try {
            long ignored = (long) ENQUEUE.invokeExact(
                    submissions, TIMEOUT, (byte) 0, (short) 0, -1, 0L, time, 1, 0, NOBODY, (short) 0, (short) 0, 0, 0L);
        } catch (Throwable e) {
            throw RingBuffers.rethrown(e);
        }
    }

    /** Submits all, and waits until the kernel has done {@code completed} things that were not looked at. */
    void submitAndWait(int completed) {
        try {
            int ignored = (int) SUBMIT_AND_WAIT.invokeExact(submissions, completed);
            vectors.clear();
            CLEAR_MESSAGES.invokeExact(messages);
        } catch (Throwable e) {
            throw RingBuffers.rethrown(e);
        }
    }

    /** Submits what there is, and has Netty handle what the kernel has done; returns how much that was. */
    int handleCompletions() {
        try {
            int ignored = (int) SUBMIT.invokeExact(handler, submissions);
            return (int) HANDLE.invokeExact(handler, submissions, completions, callback);
        } catch (Throwable e) {
            throw RingBuffers.rethrown(e);
        }
    }

    /** All handles, or none. */
    private static final class Handles {

        private @Nullable MethodHandle submitAndWait;
        private @Nullable MethodHandle enqueue;
        private @Nullable MethodHandle tail;
        private @Nullable MethodHandle head;
        private @Nullable MethodHandle hasCompletions;
        private @Nullable MethodHandle awaited;
        private @Nullable MethodHandle awaitWakeUps;
        private @Nullable MethodHandle clearMessages;
        private @Nullable MethodHandle submit;
        private @Nullable MethodHandle handle;
        private @Nullable MethodHandle callback;
        private @Nullable MethodHandle slices;
        private @Nullable MethodHandle ring;
        private @Nullable MethodHandle submissions;
        private @Nullable MethodHandle completions;
        private @Nullable MethodHandle vectors;
        private @Nullable MethodHandle messages;
        private long nobody;

        static Handles find() {
            try {
                Handles found = new Handles();
                found.look(MethodHandles.privateLookupIn(IoUringIoHandler.class, MethodHandles.lookup()));
                return found;
            } catch (ReflectiveOperationException e) {
                LOG.warn("The rings of this version of Netty are not known, so waiting costs more", e);
                return new Handles();
            }
        }

        private void look(Lookup netty) throws ReflectiveOperationException {
            Class<?> queue = netty.findClass("io.netty.channel.uring.SubmissionQueue");
            Class<?> done = netty.findClass("io.netty.channel.uring.CompletionQueue");
            Class<?> both = netty.findClass("io.netty.channel.uring.RingBuffer");
            Class<?> array = netty.findClass("io.netty.channel.uring.MsgHdrMemoryArray");
            Class<?> listener = netty.findClass("io.netty.channel.uring.CompletionCallback");
            Class<?> features = netty.findClass("io.netty.channel.uring.IoUring");
            Lookup inQueue = MethodHandles.privateLookupIn(queue, netty);

            submitAndWait = of(inQueue.findVirtual(queue, "submitAndGet0", type(int.class, int.class)));
            enqueue = of(inQueue.findVirtual(
                    queue,
                    "enqueueSqe",
                    type(
                            long.class,
                            byte.class,
                            byte.class,
                            short.class,
                            int.class,
                            long.class,
                            long.class,
                            int.class,
                            int.class,
                            long.class,
                            short.class,
                            short.class,
                            int.class,
                            long.class)));
            tail = of(inQueue.findGetter(queue, "tail", int.class));
            head = of(inQueue.findGetter(queue, "head", int.class));
            hasCompletions = of(netty.findVirtual(done, "hasCompletions", type(boolean.class)));
            awaited = netty.findGetter(IoUringIoHandler.class, "eventfdReadSubmitted", long.class);
            awaitWakeUps = netty.findVirtual(IoUringIoHandler.class, "submitEventFdRead", type(void.class));
            clearMessages = of(netty.findVirtual(array, "clear", type(void.class)));
            Class<?> handler = IoUringIoHandler.class;
            submit = netty.findVirtual(handler, "submitAndClearNow", type(int.class, queue))
                    .asType(type(int.class, handler, Object.class));
            handle = netty.findVirtual(
                            handler, "processCompletionsAndHandleOverflow", type(int.class, queue, done, listener))
                    .asType(type(int.class, handler, Object.class, Object.class, Object.class));
            callback = callbacks(netty, listener);
            slices = MethodHandles.privateLookupIn(done, netty).findGetter(done, "extraCqeData", ByteBuffer[].class);
            ring = netty.findGetter(IoUringIoHandler.class, "ringBuffer", both);
            submissions = netty.findVirtual(both, "ioUringSubmissionQueue", type(queue));
            completions = netty.findVirtual(both, "ioUringCompletionQueue", type(done));
            vectors = netty.findGetter(IoUringIoHandler.class, "iovArray", IovArray.class);
            nobody = (long) netty.findStaticVarHandle(IoUringIoHandler.class, "RINGFD_TOKEN", long.class)
                    .get();
            MethodHandle submitsAll = netty.findStatic(features, "isSetupSubmitAllSupported", type(boolean.class));
            // Last, because nothing is used without it.
            messages = submitsAll(submitsAll)
                    ? netty.findGetter(IoUringIoHandler.class, "msgHdrMemoryArray", array)
                    : null;
        }

        /** Returns what makes the callback of a handler, of which Netty makes another one each time that it runs. */
        private static MethodHandle callbacks(Lookup netty, Class<?> listener) throws ReflectiveOperationException {
            MethodType type = type(boolean.class, int.class, int.class, long.class, ByteBuffer.class);
            try {
                return LambdaMetafactory.metafactory(
                                netty,
                                "handle",
                                type(listener, IoUringIoHandler.class),
                                type,
                                netty.findVirtual(IoUringIoHandler.class, "handle", type),
                                type)
                        .getTarget();
            } catch (LambdaConversionException e) {
                throw new ReflectiveOperationException(e);
            }
        }

        private static boolean submitsAll(MethodHandle submitsAll) throws ReflectiveOperationException {
            try {
                return (boolean) submitsAll.invokeExact();
            } catch (Throwable e) {
                throw new ReflectiveOperationException(e);
            }
        }

        /** Returns {@code handle}, which takes any object where it took the one that it belongs to. */
        private static MethodHandle of(MethodHandle handle) {
            return handle.asType(handle.type().changeParameterType(0, Object.class));
        }

        private static MethodType type(Class<?> result, Class<?>... parameters) {
            return MethodType.methodType(result, parameters);
        }
    }
}

package io.sigma.dataplane.engine.uring;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.channel.uring.IoUringBufferRingAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import io.sigma.dataplane.loop.Kept;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Buffers that the kernel reads into, used again last in, first out, so that the same few stay in the processor's cache
 * while a body of any length flows through them. Each event loop has its own. A reader may hold a bounded number of
 * them at a time. Beyond that it gets copies, which take no more memory than they have bytes. A buffer is given away
 * only when another one is there to take its place with the kernel, because an event loop whose ring has lost its
 * buffers reads nothing any more. One that is released on another thread is freed. Thread-safe.
 */
final class RecycledBuffers implements IoUringBufferRingAllocator {

    /** The largest number of buffers of an event loop that readers hold. It is lower with little direct memory. */
    private static final int GIVEN_MAX = 128;

    private static final int GIVEN_MIN = 16;
    /** Buffers that readers hold take at most this fraction of direct memory: 1/16. */
    private static final int MEMORY_PART = 16;

    private final int bytes;
    private final int givenMax;
    private final FastThreadLocal<Stack> stacks = new FastThreadLocal<>() {
        @Override
        protected Stack initialValue() {
            return new Stack(bytes, givenMax);
        }

        // The thread ends.
        @Override
        protected void onRemoval(Stack ended) {
            ended.close();
        }
    };

    /**
     * @param bytes of each buffer
     * @param givenMax how many of an event loop may be held by readers
     */
    RecycledBuffers(int bytes, int givenMax) {
        this.bytes = bytes;
        this.givenMax = givenMax;
    }

    /** Returns buffers for {@code loops} event loops of a process that has {@code directBytes} of direct memory. */
    static RecycledBuffers of(int bytes, int loops, long directBytes) {
        return new RecycledBuffers(bytes, Math.clamp(directBytes / MEMORY_PART / loops / bytes, GIVEN_MIN, GIVEN_MAX));
    }

    @Override
    public ByteBuf allocate() {
        return stacks.get().pop();
    }

    @Override
    public void lastBytesRead(int attempted, int actual) {
        // All buffers are of one size.
    }

    /** The free buffers of one thread, to which it is confined. */
    private static final class Stack {

        private final Thread owner = Thread.currentThread();
        private final int bytes;
        private final int givenMax;
        private final ArrayDeque<Recycled> free = new ArrayDeque<>();
        /** Of those that readers got, how many they have not released on this thread. */
        private int given;
        /** The number of buffers that were released on other threads. */
        private final AtomicInteger elsewhere = new AtomicInteger();

        private boolean closed;

        Stack(int bytes, int givenMax) {
            this.bytes = bytes;
            this.givenMax = givenMax;
        }

        ByteBuf pop() {
            Recycled buffer = free.poll();
            if (buffer == null) {
                return new Recycled(this, bytes);
            }
            buffer.again();
            return buffer;
        }

        /**
         * Returns whether a buffer may be given to a reader, and counts it then: there is another one for the kernel.
         */
        boolean give() {
            if (given - elsewhere.get() >= givenMax || !hasFree()) {
                return false;
            }
            given++;
            return true;
        }

        private boolean hasFree() {
            if (free.isEmpty()) {
                try {
                    free.push(new Recycled(this, bytes));
                } catch (OutOfMemoryError e) {
                    return false;
                }
            }
            return true;
        }

        void close() {
            closed = true;
            for (Recycled buffer = free.poll(); buffer != null; buffer = free.poll()) {
                buffer.free();
            }
        }

        /**
         * Takes back a buffer that nobody holds.
         *
         * @param wasGiven whether a reader had it
         * @return false when it is to be freed
         */
        boolean push(Recycled buffer, boolean wasGiven) {
            if (!owner.equals(Thread.currentThread())) {
                if (wasGiven) {
                    elsewhere.incrementAndGet();
                }
                return false;
            }
            given -= wasGiven ? 1 : 0;
            if (closed || free.size() > givenMax) {
                return false;
            }
            free.push(buffer);
            return true;
        }
    }

    private static final class Recycled extends UnpooledDirectByteBuf {

        private final Stack stack;
        /** True if the hold of the ring has become that of whoever reads. */
        @Kept("false once the buffer is released")
        private boolean handedOver;
        /** True if a reader has, or had, it. */
        @Kept("false once the buffer is released")
        private boolean given;

        Recycled(Stack stack, int bytes) {
            // Vert.x copies and releases what a pooling allocator made, and forgets everything else.
            super(ByteBufAllocator.DEFAULT, bytes, bytes);
            this.stack = stack;
            Pages.release(internalNioBuffer(0, bytes));
        }

        void again() {
            resetRefCnt();
            clear();
        }

        void free() {
            super.deallocate();
        }

        /**
         * The ring takes what was read as a slice of a buffer in which nothing was written, and releases the buffer in
         * the same call: that is the buffer itself, and no count has to change.
         */
        @Override
        public ByteBuf retainedSlice(int index, int length) {
            if (index != 0 || writerIndex() != 0) {
                return super.retainedSlice(index, length);
            }
            if (!stack.give()) {
                return copyOf(length);
            }
            given = true;
            handedOver = true;
            return this;
        }

        /** Copies received bytes, which must not be lost: to the heap when no direct memory is left. */
        private ByteBuf copyOf(int length) {
            ByteBuf copy;
            try {
                copy = alloc().directBuffer(length, length);
            } catch (OutOfMemoryError e) {
                copy = Unpooled.buffer(length, length);
            }
            return copy.writeBytes(this, 0, length);
        }

        @Override
        public boolean release() {
            if (handedOver) {
                handedOver = false;
                return false;
            }
            if (refCnt() != 1) {
                return super.release();
            }
            // The only one who holds it changes the count without an atomic operation.
            setRefCnt(0);
            deallocate();
            return true;
        }

        @Override
        protected void deallocate() {
            boolean wasGiven = given;
            given = false;
            if (!stack.push(this, wasGiven)) {
                free();
            }
        }
    }
}

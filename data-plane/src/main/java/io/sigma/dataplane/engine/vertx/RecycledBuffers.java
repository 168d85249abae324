package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.channel.uring.IoUringBufferRingAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;

/**
 * Buffers that the kernel reads into, used again last in, first out, so that the same few stay in the processor's cache while
 * a body of any length flows through them. Each event loop has its own, {@value #KEPT_MAX} at most; one that is released on
 * another thread, or that is too many, is freed. Thread-safe.
 */
final class RecycledBuffers implements IoUringBufferRingAllocator {

    private static final int KEPT_MAX = 128;

    private final int bytes;
    private final FastThreadLocal<Stack> stacks = new FastThreadLocal<>() {
        @Override
        protected Stack initialValue() {
            return new Stack();
        }

        // The thread ends.
        @Override
        protected void onRemoval(Stack ended) {
            ended.close();
        }
    };

    /**
     * @param bytes of each buffer
     */
    RecycledBuffers(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public ByteBuf allocate() {
        return stacks.get().pop(bytes);
    }

    @Override
    public void lastBytesRead(int attempted, int actual) {
        // All buffers are of one size.
    }

    /** The free buffers of one thread, to which it is confined. */
    private static final class Stack {

        private final Thread owner = Thread.currentThread();
        private final ArrayDeque<Recycled> free = new ArrayDeque<>();
        private boolean closed;

        ByteBuf pop(int bytes) {
            Recycled buffer = free.poll();
            if (buffer == null) {
                return new Recycled(this, bytes);
            }
            buffer.again();
            return buffer;
        }

        void close() {
            closed = true;
            for (Recycled buffer = free.poll(); buffer != null; buffer = free.poll()) {
                buffer.free();
            }
        }

        boolean push(Recycled buffer) {
            if (!owner.equals(Thread.currentThread()) || closed || free.size() >= KEPT_MAX) {
                return false;
            }
            free.push(buffer);
            return true;
        }
    }

    private static final class Recycled extends UnpooledDirectByteBuf {

        private final Stack stack;
        /** Whether the hold of the ring has become that of whoever reads. */
        private boolean handedOver;

        Recycled(Stack stack, int bytes) {
            // Vert.x copies and releases what a pooling allocator made, and forgets everything else.
            super(ByteBufAllocator.DEFAULT, bytes, bytes);
            this.stack = stack;
        }

        void again() {
            resetRefCnt();
            clear();
        }

        void free() {
            super.deallocate();
        }

        /**
         * The ring takes what was read as a slice of a buffer in which nothing was written, and releases the buffer in the same
         * call: that is the buffer itself, and no count has to change.
         */
        @Override
        public ByteBuf retainedSlice(int index, int length) {
            if (index != 0 || writerIndex() != 0) {
                return super.retainedSlice(index, length);
            }
            handedOver = true;
            return this;
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
            if (!stack.push(this)) {
                free();
            }
        }
    }
}

package io.sigma.dataplane.engine.body;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;

/** Makes buffers until there is no memory for more. */
public final class RefusingAllocator extends AbstractByteBufAllocator {

    private boolean refuses;

    public RefusingAllocator() {
        super(true);
    }

    /** From now on there is none. */
    public void refuse() {
        refuses = true;
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        if (refuses) {
            throw new OutOfMemoryError("on purpose");
        }
        return new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity);
    }
}

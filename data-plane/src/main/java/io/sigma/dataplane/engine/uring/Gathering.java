package io.sigma.dataplane.engine.uring;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.IovArray;
import java.util.ArrayList;
import java.util.List;

/** Several buffers that are sent by one operation, and where they lie for the kernel. Confined to the event loop. */
final class Gathering implements ChannelOutboundBuffer.MessageProcessor {

    private static final int PARTS_MAX = 64;

    private final IovArray places = new IovArray(PARTS_MAX);
    private final List<ByteBuf> parts = new ArrayList<>();

    /** Takes what is to be written first. */
    void fill(ChannelOutboundBuffer from) throws Exception {
        parts.clear();
        places.clear();
        places.maxCount(PARTS_MAX);
        from.forEachFlushedMessage(this);
    }

    @Override
    public boolean processMessage(Object message) {
        if (!(message instanceof ByteBuf part)) {
            return false;
        }
        parts.add(part);
        return places.add(part, part.readerIndex(), part.readableBytes());
    }

    long address() {
        return places.memoryAddress(0);
    }

    int count() {
        return places.count();
    }

    List<ByteBuf> parts() {
        return parts;
    }

    void free() {
        places.release();
    }
}

package io.sigma.dataplane.engine.datagram;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A client's datagrams for a node that has not answered yet. They wait for the choice of a node, and another node may
 * get them. Confined to the event loop.
 */
final class HeldDatagrams {

    private static final int DATAGRAMS_MAX = 8;
    /** The first datagram may have more, in bytes. */
    private static final int BYTES_MAX = 16 * 1024;

    /** A buffer beside its bytes. */
    private static final int DATAGRAM_BYTES = 128;

    private final List<ByteBuf> datagrams = new ArrayList<>(1);
    private int bytes;
    private boolean complete = true;

    /** Keeps a copy of {@code data}; returns false when that is too much. */
    boolean add(ByteBuf data) {
        boolean fits =
                datagrams.isEmpty() || (datagrams.size() < DATAGRAMS_MAX && bytes + data.readableBytes() <= BYTES_MAX);
        if (fits && complete) {
            // The buffer may be far longer.
            int length = data.readableBytes();
            datagrams.add(data.alloc().directBuffer(length, length).writeBytes(data, data.readerIndex(), length));
            bytes += data.readableBytes();
            return true;
        }
        complete = false;
        return false;
    }

    /** Returns whether it has everything that the client sent. */
    boolean isComplete() {
        return complete;
    }

    /** Gives a copy of each to {@code sender}, which releases it. */
    void forEach(Consumer<ByteBuf> sender) {
        // Sending may end the session.
        for (ByteBuf each : List.copyOf(datagrams)) {
            if (bytes > 0) {
                sender.accept(each.retainedDuplicate());
            }
        }
    }

    /** Keeps nothing any more. */
    void release() {
        complete = false;
        bytes = 0;
        datagrams.forEach(ByteBuf::release);
        datagrams.clear();
    }

    /** Returns how much memory it takes, in bytes: more than was sent, where that came in small pieces. */
    long cost() {
        return bytes + (long) datagrams.size() * DATAGRAM_BYTES;
    }
}

package io.sigma.dataplane.engine.uring;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import java.io.IOException;

/**
 * Octets that were received and are nowhere except in the kernel. The pipes of both sides of HTTP/1.1 pass them on.
 * They can be written to a {@link RingChannel} of the same event loop, or be read. To be released; confined to the
 * event loop.
 */
public final class PipedBytes extends AbstractReferenceCounted {

    /** So many octets at least are worth being piped; fewer are copied faster. */
    public static final int WORTH = 64 * 1024;

    private final Pipe pipe;
    private final Receiving source;
    private int length;
    private boolean waited;

    /** @param source hears how it was passed on */
    PipedBytes(Pipe pipe, int length, Receiving source) {
        this.pipe = pipe;
        this.length = length;
        this.source = source;
    }

    /** Returns how many there are, which becomes fewer as they are sent. */
    public int length() {
        return length;
    }

    /** Returns how many octets the socket took, or an error's negative number. */
    int sendTo(int socket) {
        int result = pipe.drainTo(socket, length);
        length -= Math.max(0, result);
        waited |= length > 0;
        return result;
    }

    /** Returns the octets, to be released, and releases this, also when it fails. */
    public ByteBuf read(ByteBufAllocator allocator) {
        ByteBuf octets = null;
        try {
            octets = allocator.directBuffer(length, length);
            pipe.read(octets.memoryAddress(), length);
            octets.writerIndex(length);
            length = 0;
            return octets;
        } catch (IOException e) {
            if (octets != null) {
                octets.release();
            }
            throw new IllegalStateException(e);
        } finally {
            // Also when there is no memory for the octets: a pipe has two descriptors.
            release();
        }
    }

    @Override
    protected void deallocate() {
        source.onPassed(waited);
        if (length == 0) {
            pipe.owner().give(pipe);
        } else {
            pipe.owner().close(pipe);
        }
    }

    @Override
    public ReferenceCounted touch(Object hint) {
        return this;
    }
}

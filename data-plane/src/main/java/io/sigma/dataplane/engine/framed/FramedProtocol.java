package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.upstream.NodeEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * The frame format of one protocol: finds the end of a frame, reads it, replaces its id, and makes frames. Offsets are
 * those of the buffer, not of its reader index. Implementations have no state. Thread-safe.
 */
interface FramedProtocol {

    /** Returns how many bytes of a frame are enough to know how long it is. */
    int prefixBytes();

    /**
     * Returns how long the frame is that begins at {@code at}, in bytes.
     *
     * @param there how many of its bytes are there; at least one
     * @return -1 when more of them are needed; never with {@link #prefixBytes()}
     * @throws BadFrame when it is none of this protocol
     */
    long length(ByteBuf in, int at, int there) throws BadFrame;

    /**
     * Reads a complete frame.
     *
     * @param head is empty, and is filled
     * @throws BadFrame when its lengths, or its checksum, are not right
     */
    void read(ByteBuf frame, FrameHead head) throws BadFrame;

    /**
     * Returns {@code frame} with another id, maybe the same buffer. It is released if it is not.
     *
     * @param id positive; for an answer what {@link FrameHead#id} was for the request
     */
    ByteBuf withId(ByteBuf frame, long id, ByteBufAllocator buffers);

    /**
     * Returns {@code frame}, the answer of a node, as its client takes it, maybe the same buffer. It is released if it
     * is not.
     *
     * @param form of the request
     * @param id of the request
     */
    default ByteBuf answer(ByteBuf frame, long form, long id, ByteBufAllocator buffers) {
        return withId(frame, id, buffers);
    }

    /** Returns the protocol and the version of a request as they are logged. */
    String name(long form);

    /**
     * Returns the value of a header pair of {@code frame}; null when there is none.
     *
     * @param head as it was read
     */
    default @Nullable String header(ByteBuf frame, FrameHead head, String name) {
        return null;
    }

    /** Returns the answer to a heartbeat. */
    ByteBuf heartbeatAnswer(FrameHead heartbeat, ByteBufAllocator buffers);

    /**
     * Returns an answer that says that a request has failed.
     *
     * @param form the form of the request, which the answer takes over
     * @param id the id that the client gave the request
     * @param method of the request; empty where it is not known
     */
    ByteBuf error(long form, long id, String method, ErrorKind kind, ByteBufAllocator buffers);

    /**
     * Returns how many requests a connection to a node carries at a time.
     *
     * @param configured at most so many
     */
    default int streamsMax(int configured) {
        return configured;
    }

    /** Returns the connections to nodes that it is spoken on. */
    NodeEndpoint.Version version();
}

package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.HashSet;
import java.util.Set;

/**
 * Checks what peers say of priorities (RFC 9218). The readers of frames call it. The gateway sends what it has in
 * the order in which it comes, so nothing follows from it; a peer that says it wrongly is told so. Confined to the
 * event loop.
 */
public final class PriorityUpdates {

    /** The type of the frame. */
    public static final int FRAME = 0x10;

    private static final char NO_RFC7540_PRIORITIES = 9;

    /** Streams that a client has not opened yet; of more, nobody counts them. */
    private static final int REMEMBERED_MAX = 1_000;

    private final Http2Connection connection;
    private final Set<Integer> unopened = new HashSet<>();

    /**
     * @param connection with a client
     */
    PriorityUpdates(Http2Connection connection) {
        this.connection = connection;
    }

    /**
     * Looks at the setting that turns the priorities of RFC 7540 off (§2.1).
     *
     * @throws Http2Exception when it is neither 0 nor 1
     */
    static void check(Http2Settings settings) throws Http2Exception {
        Long off = settings.get(NO_RFC7540_PRIORITIES);
        if (off != null && off > 1) {
            throw error("SETTINGS_NO_RFC7540_PRIORITIES is " + off + " (expected: 0 or 1)");
        }
    }

    /**
     * Takes a frame of a client (§7.1).
     *
     * @throws Http2Exception when it is none that a client may send
     */
    void read(int stream, ByteBuf payload) throws Http2Exception {
        if (stream != 0) {
            throw error("PRIORITY_UPDATE on a stream");
        }
        if (payload.readableBytes() < Integer.BYTES) {
            throw Http2Exception.connectionError(Http2Error.FRAME_SIZE_ERROR, "PRIORITY_UPDATE without a stream");
        }
        int prioritized = payload.getInt(payload.readerIndex()) & Integer.MAX_VALUE;
        Http2Connection.Endpoint<?> client = connection.remote();
        if (!client.isValidStreamId(prioritized)) {
            // Nothing is pushed, so all streams of pushes are idle.
            throw error("PRIORITY_UPDATE of a stream that no request has");
        }
        int opened = client.lastStreamCreated();
        if (prioritized > opened && unopened.size() < REMEMBERED_MAX && unopened.add(prioritized)) {
            unopened.removeIf(id -> id <= opened);
            if (unopened.size() + connection.numActiveStreams() > client.maxActiveStreams()) {
                throw error("PRIORITY_UPDATE of more streams than may be open");
            }
        }
    }

    private static Http2Exception error(String what) {
        return Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, what);
    }
}

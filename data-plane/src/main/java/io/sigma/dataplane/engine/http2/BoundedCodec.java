package io.sigma.dataplane.engine.http2;

import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import java.util.concurrent.TimeUnit;

/** Builds the parts of the codec that are the same towards clients and nodes. Both builders of connections call it. */
public final class BoundedCodec {

    /**
     * The peer gets a WINDOW_UPDATE as soon as so much of a window is left: with a half, half of a window would be all
     * that it gets a round trip.
     */
    private static final float WINDOW_LEFT = 0.75f;

    private BoundedCodec() {}

    /**
     * Returns the states of a connection's streams, with their flow control.
     *
     * @param server whether the peer opens the streams
     */
    public static Http2Connection connection(boolean server, int reservedStreamsMax) {
        var connection = new DefaultHttp2Connection(server, reservedStreamsMax);
        // A stream that nobody takes from keeps its own window, never that of the connection, which all streams share.
        connection.local().flowController(new DefaultHttp2LocalFlowController(connection, WINDOW_LEFT, true));
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
        return connection;
    }

    /** Returns what writes the frames of {@code connection} to {@code output}. */
    public static BoundedEncoder encoder(Http2Connection connection, FrameOutput output) {
        return new BoundedEncoder(
                new DefaultHttp2ConnectionEncoder(connection, output),
                Http2Limits.RESETS_MAX,
                TimeUnit.SECONDS.toNanos(Http2Limits.RESETS_SECONDS));
    }
}

package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.sigma.dataplane.engine.accept.ClientFailure;
import io.sigma.dataplane.engine.http1.LoopFlusher;
import io.sigma.dataplane.engine.relay.ClientSocket;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.loop.HeldMemory;
import io.sigma.model.ProxyServer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a client that speaks HTTP/2: its streams, each a {@link Http2Request}. Confined to the event loop.
 */
public final class Http2Link extends FrameLink {

    /** The time for which a client may still open streams after GOAWAY, in milliseconds: they may be under way. */
    private static final long RACING_MILLIS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(Http2Link.class);

    /** What the codec of a connection takes, also while it has no stream. */
    private static final int CONNECTION_BYTES = 8 * 1024;

    private final ClientSocket socket;
    /** Whose limits the client knows. */
    private ProxyServer server;

    private final UploadWindows windows;
    private final RequestHeads heads = new RequestHeads();
    private int headBytes;
    private boolean draining;
    /** After an error. */
    private @Nullable Ending ending;

    private final HeldMemory.Holder memory = new HeldMemory.Holder() {
        @Override
        protected long held() {
            return memoryHeld();
        }

        @Override
        protected long taken() {
            return output().data() - leaving() + windows.taken();
        }

        @Override
        protected @Nullable Object owner() {
            return socket.owner();
        }

        @Override
        protected void end() {
            // The output may wait for the client for ever, so nothing waits for the output.
            context().channel().unsafe().close(context().channel().voidPromise());
        }
    };

    Http2Link(
            Http2ConnectionDecoder decoder,
            Http2ConnectionEncoder encoder,
            Http2Settings settings,
            FrameOutput output,
            ClientSocket socket,
            LoopFlusher flusher) {
        super(decoder, encoder, settings, output, flusher);
        this.socket = socket;
        this.server = socket.binding().source();
        this.windows = new UploadWindows(this, socket.loop().memory());
    }

    /** Returns the handler of a connection, which has read nothing yet, not even the preface. */
    public static Http2Link create(ClientSocket socket, LoopFlusher flusher) {
        return new Http2LinkBuilder(socket, flusher)
                .link(Http2Limits.of(socket.binding().source()));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) throws Exception {
        super.handlerAdded(added);
        // It may be ended at once, which it is not ready for yet.
        afterwards(() -> grew(CONNECTION_BYTES));
    }

    /** Returns the SETTINGS that announce {@code limits}. */
    static Http2Settings settings(Http2Limits limits) {
        return new Http2Settings()
                .maxConcurrentStreams(limits.streamsMax())
                .maxHeaderListSize(limits.headBytesMax())
                .connectProtocolEnabled(true);
    }

    /** Tells the client of the limits that count now; they do so once it has acknowledged them (RFC 9113 §6.5.3). */
    @SuppressWarnings("ReferenceEquality") // An unchanged value is the same object.
    private void follow() {
        ProxyServer now = socket.binding().source();
        if (now == server) {
            return;
        }
        Http2Limits next = Http2Limits.of(now);
        if (!next.equals(Http2Limits.of(server))) {
            encoder().writeSettings(context(), settings(next), context().newPromise());
            schedule();
        }
        server = now;
    }

    /** Returns how many frames without a use of their own the client may have sent for what it was sent. */
    public long creditOfClient() {
        return output().creditOfReader();
    }

    ClientSocket socket() {
        return socket;
    }

    /** Notes that so much more is held for the client, in bytes. */
    void grew(long bytes) {
        socket.loop().memory().grew(memory, bytes);
    }

    /** Notes how much has come of a head that is not complete, in bytes; 0 when there is none. */
    public void headArrives(int bytes) {
        int more = bytes - headBytes;
        headBytes = bytes;
        if (more > 0) {
            grew(more);
        }
    }

    /** Notes that so much has come of a frame of a body that is not complete, in bytes: its client is not silent. */
    public void bodyArrives(int stream, int bytes) {
        Http2Request request = request(stream);
        if (request != null) {
            request.body().arrives(bytes);
        }
    }

    private long memoryHeld() {
        if (!context().channel().isOpen()) {
            return 0;
        }
        long[] bytes = {0};
        forEachRequest(request -> bytes[0] += request.held());
        // The internal buffer has a part of a frame.
        return CONNECTION_BYTES + bytes[0] + internalBuffer().capacity() + headBytes + leaving();
    }

    private @Nullable Http2Request request(int stream) {
        return (Http2Request) stream(stream);
    }

    // --- What arrives

    /**
     * Takes the head of a request, or its trailers.
     *
     * @throws Http2Exception when it is malformed, which ends its stream
     */
    @Override
    protected void onHead(int id, DecodedHead head, boolean end) throws Http2Exception {
        Http2Stream stream = connection().stream(id);
        Http2Request known = (Http2Request) stream(stream);
        if (known != null) {
            if (known.isSwitch()) {
                // Nothing follows but octets of the protocol behind it (RFC 9113 §8.5).
                throw Http2Exception.streamError(id, Http2Error.PROTOCOL_ERROR, "trailers behind CONNECT");
            }
            known.onTrailers(head);
            return;
        }
        follow();
        if (!heads.isWellFormed(head)) {
            throw Http2Exception.streamError(id, Http2Error.PROTOCOL_ERROR, "a malformed head");
        }
        if (socket.loop().memory().refuses(memory)) {
            throw Http2Exception.streamError(id, Http2Error.REFUSED_STREAM, "too much is held");
        }
        String method = Objects.requireNonNull(head.methodText());
        boolean switches = head.protocolText() != null;
        long bodyBytes = end || switches ? 0 : RequestHeads.bodyBytes(head.fields());
        GatewayError refusal = null;
        RequestHead decoded;
        try {
            RequestHeads.checkScheme(head);
            if (switches) {
                method = RequestHeads.upgrade(head);
            }
            decoded = socket.http2Head(
                    method, Objects.requireNonNull(head.pathText()), heads.authority(head), head.fields(), bodyBytes);
        } catch (InvalidRequest e) {
            refusal = GatewayError.downstream(e.kind());
            decoded = socket.http2Placeholder(method, head.fields());
        }
        Http2Request request = new Http2Request(this, stream, head.bytes());
        join(stream, request);
        grew(request.held());
        if (switches && !end) {
            request.beginSwitch(decoded, refusal);
        } else {
            request.begin(decoded, refusal, end || bodyBytes == 0);
        }
    }

    UploadWindows windows() {
        return windows;
    }

    void forEachWindow(Consumer<UploadWindows.Window> action) {
        forEachRequest(request -> action.accept(request.window()));
    }

    /** Asks the client for an answer, which comes a round trip later. */
    void ping(long data) {
        encoder().writePing(context(), false, data, context().newPromise());
        schedule();
    }

    @Override
    protected void onAnswer(long data) {
        windows.answered(data);
    }

    // --- What is written

    void writeHead(Http2Stream stream, int status, Fields fields, boolean end, ChannelPromise promise) {
        encoder().writeHeaders(context(), stream.id(), outgoing().response(status, fields), 0, end, promise);
        schedule();
    }

    @Override
    protected void onFlushed() {
        if (draining && connection().numActiveStreams() == 0) {
            draining = false;
            context().channel().close();
        }
    }

    // --- The connection

    @Override
    protected void onReadComplete(ChannelHandlerContext read) {
        if (internalBuffer().isReadable()) {
            grew(internalBuffer().capacity());
        }
        if (!read.channel().config().isAutoRead() && (ending == null || ending.reads())) {
            // The frames bound what arrives (RFC 9113 §5.2.2).
            read.read();
        }
    }

    /**
     * Tells the client to open no streams any more; those that it opened before it heard are served (RFC 9113 §6.8). A
     * moment later the last of them is known, and the connection ends when they have ended.
     */
    public void drain(long millis) {
        if (ending != null || connection().goAwaySent()) {
            return;
        }
        goAway(
                context(),
                Integer.MAX_VALUE,
                Http2Error.NO_ERROR.code(),
                Unpooled.EMPTY_BUFFER,
                context().newPromise());
        schedule();
        long racing = Math.min(millis, RACING_MILLIS);
        context().executor().schedule(() -> endStreams(millis - racing), racing, TimeUnit.MILLISECONDS);
    }

    private void endStreams(long millis) {
        if (ending != null || !context().channel().isActive()) {
            return;
        }
        int last = connection().remote().lastStreamCreated();
        goAway(
                context(),
                last,
                Http2Error.NO_ERROR.code(),
                Unpooled.EMPTY_BUFFER,
                context().newPromise());
        gracefulShutdownTimeoutMillis(millis);
        draining = true;
        context().channel().close();
        schedule();
    }

    /**
     * Returns whether nothing is left to do before the connection is closed; what is gathered has to leave first. A
     * connection that drains is closed at the end of a loop iteration, after all output: streams end when their last
     * frame is gathered, which may wait behind the one whose promise is asked about here.
     */
    @Override
    protected boolean isGracefulShutdownComplete() {
        return super.isGracefulShutdownComplete() && !output().isGathering() && !draining;
    }

    @Override
    public void closeStream(Http2Stream stream, ChannelFuture last) {
        super.closeStream(stream, last);
        if (draining) {
            schedule();
        }
    }

    @Override
    protected void decode(ChannelHandlerContext read, ByteBuf in, List<Object> out) throws Exception {
        if (ending == null) {
            super.decode(read, in, out);
        } else {
            ending.drop(in);
            if (!ending.reads()) {
                read.channel().config().setAutoRead(false);
            }
        }
    }

    @Override
    protected void onConnectionError(
            ChannelHandlerContext failed, boolean outbound, Throwable cause, @Nullable Http2Exception known) {
        if (ending != null) {
            return;
        }
        long code = (known == null ? Http2Error.INTERNAL_ERROR : known.error()).code();
        int last = connection().remote().lastStreamCreated();
        ByteBuf reason = Http2CodecUtil.toByteBuf(failed, cause);
        try {
            connection().goAwaySent(last, code, reason);
        } catch (Http2Exception e) {
            throw new IllegalStateException("no stream is created after the last one that the client was allowed", e);
        }
        // Netty's goAway would close as soon as this is written.
        ChannelFuture telling = frameWriter().writeGoAway(failed, last, code, reason, failed.newPromise());
        ending = new Ending(failed, socket, telling);
        failed.executor().execute(this::closeStreams);
    }

    private void closeStreams() {
        forEachStream(Http2Stream::close);
    }

    private void forEachRequest(Consumer<Http2Request> action) {
        forEachStream(stream -> {
            if (stream(stream) instanceof Http2Request request) {
                action.accept(request);
            }
        });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        if (Http2CodecUtil.getEmbeddedHttp2Exception(cause) != null) {
            onError(failed, false, cause);
        } else {
            ClientFailure.log(LOG, cause);
        }
        if (ending == null) {
            failed.close();
        }
    }
}

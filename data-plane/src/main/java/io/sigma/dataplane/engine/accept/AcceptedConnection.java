package io.sigma.dataplane.engine.accept;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.sigma.dataplane.engine.http1.ClientLink;
import io.sigma.dataplane.engine.http2.Http2Link;
import io.sigma.dataplane.engine.relay.Pieces;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client on which HTTP begins: what was agreed on in the TLS handshake (RFC 9113 §3.2), or its first
 * octets (§3.3), say whether HTTP/1.1 or HTTP/2 is spoken. Confined to the event loop.
 */
final class AcceptedConnection extends ClientGuard implements ChannelFutureListener {

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** How long one that is to end may say nothing. */
    private static final long FIRST_OCTETS_MILLIS = 1_000;

    private final LoopListener listener;
    private final Channel channel;
    private final long client;
    private @Nullable InetSocketAddress said;
    private @Nullable SSLSession session;
    /** What was agreed on by ALPN; null for nothing. */
    private @Nullable String agreed;

    private @Nullable ClientLink http1;
    private @Nullable Http2Link http2;
    private @Nullable ByteBuf held;
    /** How long it may go on; -1 as long as its listener is open. */
    private long drainMillis = -1;

    /** Neighbours in the list of the listener. */
    @Nullable
    AcceptedConnection previous;

    @Nullable
    AcceptedConnection next;

    /**
     * @param client that it counts for
     */
    AcceptedConnection(LoopListener listener, Channel channel, long client) {
        super(listener.loop().loop().connectionDeadlines(), listener.limits());
        this.listener = listener;
        this.channel = channel;
        this.client = client;
    }

    Channel channel() {
        return channel;
    }

    /** Notes whose connection it is by the word of a trusted peer; null when that does not say. */
    void isFrom(@Nullable InetSocketAddress address) {
        said = address;
    }

    /** Notes that a handshake has succeeded. */
    void isEncrypted(SslHandler encryption) {
        session = encryption.engine().getSession();
        agreed = encryption.applicationProtocol();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        super.handlerAdded(added);
        if (ApplicationProtocolNames.HTTP_2.equals(agreed)) {
            beginHttp2();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        received();
        if (hasBegun()) {
            reading.fireChannelRead(message);
        } else {
            begin(reading, (ByteBuf) message);
        }
    }

    private boolean hasBegun() {
        return http1 != null || http2 != null;
    }

    private void begin(ChannelHandlerContext reading, ByteBuf data) {
        ByteBuf before = held;
        // What is given away is not kept: it is released also when it fails.
        held = null;
        ByteBuf all = before == null ? data : Pieces.joined(channel.alloc(), before, data);
        boolean only = listener.source().http2().only();
        // Over TLS it has to be agreed on.
        boolean mayBe = only || (session == null && listener.source().http2().enabled());
        if (!mayBe || !isPreface(all)) {
            if (only) {
                all.release();
                reading.writeAndFlush(Http2Guard.refusal()).addListener(CLOSE);
                return;
            }
            beginHttp1();
        } else if (all.readableBytes() >= PREFACE.length) {
            beginHttp2();
        } else {
            held = all;
            return;
        }
        reading.fireChannelRead(all);
    }

    /** Returns whether what has arrived may still be the preface. */
    private static boolean isPreface(ByteBuf data) {
        int length = Math.min(data.readableBytes(), PREFACE.length);
        for (int i = 0; i < length; i++) {
            if (data.getByte(data.readerIndex() + i) != PREFACE[i]) {
                return false;
            }
        }
        return true;
    }

    private void beginHttp1() {
        ClientLink link = new ClientLink(socket(), listener.loop().http1(), listener.sendsFiles());
        http1 = link;
        channel.pipeline().addLast(link);
        // A client may send nothing more and wait for its answer.
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        if (session == null) {
            link.sendPastHandlers();
        }
        drainLate();
    }

    private void beginHttp2() {
        noHeads();
        Http2Link link = Http2Link.create(socket(), listener.loop().http1().flusher());
        http2 = link;
        channel.pipeline().addLast(new Http2Guard(link)).addLast(link);
        drainLate();
    }

    private ClientConnection socket() {
        return new ClientConnection(listener, this, session, said);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
        super.handlerRemoved(removed);
        if (held != null) {
            held.release();
            held = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        if (hasBegun()) {
            failed.fireExceptionCaught(cause);
        } else {
            failed.close();
        }
    }

    @Override
    @Nullable
    ClientLink link() {
        return http1;
    }

    /** Makes the exchange that runs, or the next one that begins soon, the last one. */
    void drain(long millis) {
        drainMillis = millis;
        if (hasBegun()) {
            drainLate();
        } else {
            // It has not said yet what it speaks.
            channel.eventLoop()
                    .schedule(this::closeIfSilent, Math.min(millis, FIRST_OCTETS_MILLIS), TimeUnit.MILLISECONDS);
        }
    }

    private void drainLate() {
        if (drainMillis < 0) {
            return;
        }
        if (http1 != null) {
            http1.drain(drainMillis);
        } else if (http2 != null) {
            http2.drain(drainMillis);
        }
    }

    private void closeIfSilent() {
        if (!hasBegun()) {
            close();
        }
    }

    void close() {
        channel.close();
    }

    /** Returns the client that it counts for. */
    long client() {
        return client;
    }

    /** It is closed. */
    @Override
    public void operationComplete(ChannelFuture closed) {
        listener.closed(this);
    }
}

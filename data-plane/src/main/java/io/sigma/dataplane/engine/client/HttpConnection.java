package io.sigma.dataplane.engine.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.sigma.dataplane.engine.accept.AcceptedConnection;
import io.sigma.dataplane.engine.accept.ListenerProtocol;
import io.sigma.dataplane.engine.body.Pieces;
import io.sigma.dataplane.engine.http1.ClientLink;
import io.sigma.dataplane.engine.http2.Http2Link;
import io.sigma.dataplane.engine.uring.LateTimer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client on which HTTP begins: what was agreed on in the TLS handshake (RFC 9113 §3.2), or its first
 * octets (§3.3), say whether HTTP/1.1 or HTTP/2 is spoken. Confined to the event loop.
 */
final class HttpConnection extends ClientGuard implements ListenerProtocol.Speaker {

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** The time that a connection of a closing listener may be silent, in milliseconds. */
    private static final long FIRST_OCTETS_MILLIS = 1_000;

    private final HttpProtocol protocol;
    private final AcceptedConnection accepted;
    private final Channel channel;

    private @Nullable ClientLink http1;
    private @Nullable Http2Link http2;
    private @Nullable ByteBuf held;
    /**
     * The time that the connection may continue after its listener closed, in milliseconds. -1 while the listener is
     * open.
     */
    private long drainMillis = -1;

    private boolean retires;

    HttpConnection(HttpProtocol protocol, AcceptedConnection accepted) {
        super(accepted.loop().connectionDeadlines(), protocol.limits());
        this.protocol = protocol;
        this.accepted = accepted;
        this.channel = accepted.channel();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        super.handlerAdded(added);
        if (ApplicationProtocolNames.HTTP_2.equals(accepted.applicationProtocol())) {
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
        // The callee owns the buffer from now on, and releases it also when it fails.
        held = null;
        ByteBuf all = before == null ? data : Pieces.joined(channel.alloc(), before, data);
        boolean only = protocol.binding().source().http2().only();
        // Over TLS it has to be agreed on (RFC 9113 §3.3).
        boolean mayBe = accepted.tls() == null
                && (only || protocol.binding().source().http2().enabled());
        if (!mayBe || !isPreface(all)) {
            if (only) {
                all.release();
                reading.writeAndFlush(Http2Guard.refusal()).addListener(ChannelFutureListener.CLOSE);
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
        ClientLink link = new ClientLink(socket(), loop().http1(), accepted.tls() == null && protocol.sendsFiles());
        http1 = link;
        channel.pipeline().addLast(link);
        // A client may send nothing more and wait for its answer.
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        if (accepted.tls() == null) {
            link.sendPastHandlers();
        }
        drainLate();
    }

    private void beginHttp2() {
        noHeads();
        Http2Link link = Http2Link.create(socket(), loop().http1().flusher());
        http2 = link;
        channel.pipeline().addLast(new Http2Guard(link)).addLast(link);
        drainLate();
    }

    private ClientConnection socket() {
        return new ClientConnection(protocol, loop(), accepted, this);
    }

    private HttpLoop loop() {
        return protocol.loop(accepted.loop());
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
    @Override
    public void drain(long millis) {
        drainMillis = millis;
        if (hasBegun()) {
            drainLate();
        } else {
            // It has not said yet what it speaks.
            LateTimer.start(channel.eventLoop(), Math.min(millis, FIRST_OCTETS_MILLIS), this::closeIfSilent);
        }
    }

    /** What runs on it at that time has no end that could be told. */
    @Override
    public boolean endsInTime() {
        return false;
    }

    @Override
    public void retire(long millis) {
        drainMillis = millis;
        retires = true;
        // A connection whose protocol is not known yet keeps the usual time for its first bytes.
        drainLate();
    }

    private void drainLate() {
        if (drainMillis < 0) {
            return;
        }
        if (http1 != null && retires) {
            http1.retire(drainMillis);
        } else if (http1 != null) {
            http1.drain(drainMillis);
        } else if (http2 != null) {
            http2.drain(drainMillis);
        }
    }

    private void closeIfSilent() {
        if (!hasBegun()) {
            channel.close();
        }
    }
}

package io.sigma.dataplane.engine.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.sigma.dataplane.engine.body.Draining;
import io.sigma.dataplane.engine.body.SendQueue;
import io.sigma.dataplane.engine.http1.ClientLink;
import io.sigma.dataplane.engine.uring.PausedReads;
import io.sigma.dataplane.engine.uring.RingChannel;
import io.sigma.dataplane.exchange.rule.HttpDate;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.loop.Prefetched;
import io.sigma.model.ServerLimits;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches the bytes of a client's connection: a head that does not become complete in time is answered 408, a
 * connection without a byte in either direction is closed. One that waits for a node is not idle, because the call has
 * limits of its own and the client is owed their answer. Confined to the event loop.
 */
class ClientGuard extends ChannelDuplexHandler implements Prefetched {

    private final Deadlines deadlines;
    private final Supplier<ServerLimits> limits;
    private final Deadlines.Entry idle = new Deadlines.Entry() {
        @Override
        protected void onDeadline() {
            onIdle();
        }
    };
    private final Deadlines.Entry head = new Deadlines.Entry() {
        @Override
        protected void onDeadline() {
            onHeadLate();
        }
    };

    private @Nullable ChannelHandlerContext context;
    private long idleMillis;
    private long headMillis;
    private int exchanges;
    private int waiting;
    private boolean headBegun;
    /**
     * True if that head belongs to a stream of HTTP/2. Such a head may come before this object learns that the
     * connection speaks HTTP/2.
     */
    private boolean ofStream;

    private boolean headless;
    /** Of what was sent before. */
    private final Draining draining = new Draining();

    /**
     * @param limits returns those that count now; they are asked for with each request
     */
    ClientGuard(Deadlines deadlines, Supplier<ServerLimits> limits) {
        this.deadlines = deadlines;
        this.limits = limits;
        follow();
    }

    private void follow() {
        ServerLimits now = limits.get();
        idleMillis = now.idleTimeoutMillis();
        headMillis = now.headTimeoutMillis();
    }

    @Override
    public final int prefetch(int distance) {
        return distance == 0 ? exchanges + (headBegun ? 1 : 0) : 0;
    }

    /** Notes that heads are not looked for in this connection's bytes: it speaks HTTP/2, or has become a tunnel. */
    void noHeads() {
        headless = true;
        if (!ofStream) {
            headBegun = false;
            deadlines.remove(head);
        }
    }

    /** Notes that an exchange began: its head is complete. */
    void exchangeBegun() {
        exchanges++;
        if (headless) {
            follow();
            return;
        }
        headBegun = false;
        deadlines.pause(head);
    }

    /**
     * Notes whether a head on HTTP/2 has begun and is not complete; nothing else can come on the connection meanwhile.
     */
    void headOfStream(boolean begun) {
        ofStream = begun;
        headBegun = begun;
        if (begun) {
            deadlines.set(head, headMillis);
        } else {
            deadlines.pause(head);
        }
    }

    void exchangeEnded() {
        exchanges--;
        touch();
    }

    /** Notes that an exchange waits for its node. */
    void waitBegun() {
        waiting++;
    }

    void waitEnded() {
        waiting--;
        touch();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        touch();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
        deadlines.remove(idle);
        deadlines.remove(head);
    }

    @Override
    public void channelInactive(ChannelHandlerContext closed) {
        handlerRemoved(closed);
        closed.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        received();
        reading.fireChannelRead(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
        if (event.equals(RingChannel.PROGRESS)) {
            touch();
        } else if (!PausedReads.heard(triggered.channel(), event)) {
            triggered.fireUserEventTriggered(event);
        }
    }

    /** Notes that something arrived. */
    final void received() {
        boolean begins = exchanges == 0 && !headBegun && !headless;
        if (begins) {
            follow();
        }
        touch();
        if (begins) {
            headBegun = true;
            deadlines.set(head, headMillis);
        }
    }

    /** Returns what speaks HTTP/1.1 on the connection; null when nobody does. */
    @Nullable
    ClientLink link() {
        return null;
    }

    @Override
    public void write(ChannelHandlerContext writing, Object message, ChannelPromise promise) {
        touch();
        writing.write(message, promise);
    }

    /** Notes that the connection is not idle. */
    final void touch() {
        if (context != null && context.channel().isActive()) {
            draining.begin(Long.MAX_VALUE);
            deadlines.set(idle, idleMillis);
        }
    }

    private void onIdle() {
        if (waiting > 0) {
            touch();
        } else if (context != null && draining.goesOn(SendQueue.bytes(context.channel()), bytesMin())) {
            deadlines.set(idle, idleMillis);
        } else if (context != null) {
            context.close();
        }
    }

    /** Returns how much a client that reads receives in the idle time at least, in bytes. */
    private long bytesMin() {
        return Math.max(1, limits.get().responseBytesPerSecondMin() * idleMillis / 1000);
    }

    private void onHeadLate() {
        if (context == null || !headBegun) {
            return;
        }
        ClientLink link = link();
        if (link != null) {
            link.headLate();
            return;
        }
        ChannelHandlerContext frames = context.pipeline().context(Http2Guard.class);
        if (headless && frames != null) {
            ((Http2Guard) frames.handler()).headLate(frames);
            return;
        }
        // Not even the protocol is known.
        context.writeAndFlush(timeout()).addListener(ChannelFutureListener.CLOSE);
    }

    private static ByteBuf timeout() {
        return Unpooled.copiedBuffer(
                String.join(
                        "\r\n",
                        "HTTP/1.1 408 Request Timeout",
                        "Date: " + HttpDate.now(),
                        "Connection: close",
                        "Content-Type: text/plain; charset=utf-8",
                        "Content-Length: 44",
                        "",
                        "The head of the request took too long here.\n"),
                StandardCharsets.US_ASCII);
    }
}

package io.sigma.dataplane.engine.http1;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.sigma.dataplane.engine.accept.ClientFailure;
import io.sigma.dataplane.engine.relay.ClientSocket;
import io.sigma.dataplane.engine.tunnel.Tunnel;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;
import io.sigma.dataplane.engine.uring.LateTimer;
import io.sigma.dataplane.engine.uring.RingChannel;
import io.sigma.dataplane.loop.HeldMemory;
import io.sigma.dataplane.loop.Prefetched;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a client that speaks HTTP/1.1: its requests, one after the other, each a {@link ClientRequest}. It
 * takes everything that arrives, and leaves the life cycle of the connection to the handler after it. Confined to the
 * event loop.
 */
public final class ClientLink extends RequestInput implements Prefetched {

    /** The time that a closing connection waits for a request that may be under way, in milliseconds. */
    private static final long LAST_REQUEST_MILLIS = 1_000;
    /** The time for which bytes of the client are dropped after the gateway ended its direction, in milliseconds. */
    private static final long LINGER_MILLIS = 2_000;
    /** Up to this many bytes that wait for a client that reads are not counted. */
    private static final int SENT_SOON_BYTES = 16 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(ClientLink.class);
    private final Http1Loop loop;
    private final boolean sendsFiles;
    private @Nullable BodyPipe pipe;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Output output;

    private boolean draining;
    /** The time that a draining connection waits for another request, in milliseconds. */
    private long lastRequestMillis = LAST_REQUEST_MILLIS;

    private boolean inputEnded;

    private final HeldMemory.Holder memory = new HeldMemory.Holder() {
        @Override
        protected long held() {
            return memoryHeld();
        }

        @Override
        protected long taken() {
            ClientRequest request = current();
            return output().taken() + (request == null ? 0 : request.body().passed());
        }

        @Override
        protected @Nullable Object owner() {
            return socket().owner();
        }

        @Override
        protected void end() {
            deafen();
            // Nothing waits for the client to read it, not even the end of TLS.
            context().channel().unsafe().close(context().channel().voidPromise());
        }
    };
    /** Sent bytes that are reported as held, until the client has read them. */
    private long sentBytes;

    /**
     * @param sendsFiles whether the transport sends files without copying them
     */
    public ClientLink(ClientSocket socket, Http1Loop loop, boolean sendsFiles) {
        super(socket, loop.texts());
        this.loop = loop;
        this.sendsFiles = sendsFiles;
    }

    /** None of the handlers before this one wants to see what is sent. */
    public void sendPastHandlers() {
        output().sendPastHandlers();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        output = new Output(added, loop, this::onFlushed);
        pipe = new BodyPipe(added, body());
        if (added.channel() instanceof RingChannel ring) {
            ring.leadsTo(this);
        }
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0 ? (isDeaf() ? 1 : 0) : prefetchInput(distance) + output().prefetch(distance - 1);
    }

    /** As {@link #prefetch}, of what a response needs. */
    int prefetchResponse(int distance) {
        if (distance == 0) {
            return prefetch(0);
        }
        // Farther away the channel leads back here, and to what only a request needs.
        RingChannel ring = distance < 3 && context().channel() instanceof RingChannel own ? own : null;
        return output().prefetch(distance - 1) + (ring == null ? 0 : ring.prefetch(distance - 1));
    }

    @Override
    ChannelHandlerContext context() {
        return Objects.requireNonNull(context);
    }

    Output output() {
        return Objects.requireNonNull(output);
    }

    BodyPipe pipe() {
        return Objects.requireNonNull(pipe);
    }

    Texts texts() {
        return loop.texts();
    }

    /** Returns whether the connection ends when the exchange that runs is over. */
    boolean isDraining() {
        return draining;
    }

    /** Returns whether no exchange runs. */
    public boolean isIdle() {
        return current() == null;
    }

    boolean sendsFiles() {
        return sendsFiles;
    }

    // --- Memory

    private long memoryHeld() {
        if (!context().channel().isOpen()) {
            return 0;
        }
        ClientRequest request = current();
        return readHeld() + output().held() + (request == null ? 0 : request.held());
    }

    @Override
    void grew(long bytes) {
        socket().loop().memory().grew(memory, bytes);
    }

    @Override
    boolean isTooMuchHeld() {
        return socket().loop().memory().refuses(memory);
    }

    @Override
    ClientRequest made(boolean http10, boolean keeps) {
        return new ClientRequest(this, http10, keeps);
    }

    // --- Ends of exchanges

    private void onFlushed() {
        socket().sent();
        long waiting = output().waiting();
        if (waiting > SENT_SOON_BYTES && waiting > sentBytes) {
            grew(waiting - sentBytes);
        }
        sentBytes = waiting;
        ClientRequest request = current();
        if (request != null && request.isFinished()) {
            // Bytes below the connection's high-water mark count as sent, unless more has to follow in order.
            if (waiting == 0 || (output().isWritable() && request.body().isEnded())) {
                request.complete();
            } else if (request.isAwaitedFirst()) {
                context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> {
                    if (written.isSuccess()) {
                        request.complete();
                    } else {
                        request.gone();
                    }
                });
            }
        }
    }

    /**
     * The exchange is over and its response is written.
     *
     * @param keeps whether another request may follow
     */
    void over(ClientRequest request, boolean keeps) {
        if (current() != request) {
            return;
        }
        currentEnded();
        if (!keeps) {
            if (draining) {
                end();
            } else {
                close();
            }
            return;
        }
        if (draining) {
            // Its head did not say that it was the last.
            LateTimer.start(context().executor(), lastRequestMillis, this::endIfIdle);
        }
        next(request);
        if (inputEnded) {
            endAfterAnswers();
        }
    }

    /** Everything is written by now, and {@link #close} follows it. */
    void last() {
        if (!draining && context().channel() instanceof RingChannel ring) {
            ring.last();
        }
    }

    /** Closes the connection after what was written. */
    public void close() {
        deafen();
        output().pass();
        context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /**
     * Makes the exchange that runs the last one, or the next one that begins soon, whose response says so; a connection
     * without one ends then. All of it is over after {@code millis}.
     */
    public void drain(long millis) {
        drain(millis, LAST_REQUEST_MILLIS);
    }

    /**
     * As {@link #drain}. A connection without an exchange waits for the next one all the time: its client may have sent
     * a request already, and would get no response.
     */
    public void retire(long millis) {
        drain(millis, millis);
    }

    private void drain(long millis, long idleMillis) {
        if (draining) {
            return;
        }
        draining = true;
        lastRequestMillis = idleMillis;
        context().executor().schedule(() -> context().close(), millis, TimeUnit.MILLISECONDS);
        if (current() == null) {
            LateTimer.start(context().executor(), Math.min(millis, idleMillis), this::endIfIdle);
        }
    }

    private void endIfIdle() {
        if (current() == null && !isDeaf() && context().channel().isActive()) {
            end();
        }
    }

    /**
     * Tells the client that nothing follows, and drops what it still sends until it ends, too: a socket that is closed
     * with something unread is reset, and the last response with it (RFC 9112 §9.6).
     */
    private void end() {
        deafen();
        output().pass();
        context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> {
            if (written.isSuccess()) {
                socket().endOutput();
                read(true);
                context().executor().schedule(() -> context().close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
            } else {
                context().close();
            }
        });
    }

    /** Closes it in a way that no response seems complete that is not. */
    void abort() {
        deafen();
        Channel channel = context().channel();
        // The outcome of a failed write comes after the socket was closed, which takes no options any more.
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            context().close();
        }
    }

    /** Returns whether the client sends nothing more; it may still read. */
    boolean isInputEnded() {
        return inputEnded;
    }

    /** The client sends nothing more. Its earlier requests are answered (RFC 9112 §9.6). */
    private void onInputEnded() {
        inputEnded = true;
        if (tunnel() == null) {
            endAfterAnswers();
        } else {
            tunnel().clientEnded();
        }
    }

    private void endAfterAnswers() {
        ClientRequest request = current();
        if (request == null || request.isEnded()) {
            close();
        } else if (request.isHopeless() || (!isBodyOver() && !request.isFinished())) {
            // A socket is closed before its event loop learns of it, and the request could be sent meanwhile.
            request.cancelCall();
            context().close();
        }
    }

    /** Returns what passes bytes in a tunnel. */
    TunnelEnd rawEnd() {
        return new RawEnd(output(), context().channel()) {
            @Override
            public void grew(long bytes) {
                ClientLink.this.grew(bytes);
            }
        };
    }

    // --- The connection

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (current() != null && output().isWritable()) {
            current().drained();
        }
        changed.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
        if (event instanceof ChannelInputShutdownEvent
                || (event instanceof SslCloseCompletionEvent && tunnel() != null)) {
            onInputEnded();
        }
        triggered.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        ClientFailure.log(LOG, cause);
        failed.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext gone) {
        deafen();
        output().close();
        settle();
        Tunnel joined = tunnel();
        if (joined != null) {
            if (!joined.clientGone()) {
                joined.close();
            }
        } else if (current() != null) {
            current().gone();
        }
        gone.fireChannelInactive();
    }
}

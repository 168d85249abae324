package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.ForwardEvents;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.BodyEncoder;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.Downstream;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.Prefetched;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.ServerLimits;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of an exchange, as a call sees it. An engine extends it for a request as it came; what does not
 * depend on how requests and responses are written stands here. Confined to the event loop of the client's connection.
 */
public abstract class ClientStream extends Deadlines.Entry implements Downstream, RequestBody.Source, Prefetched {

    /**
     * How long, and how much, of a body that nobody wants is read after the answer, so that the client can read that.
     */
    private static final long LINGER_MILLIS = 2_000;

    private static final long LINGER_BYTES = 1024 * 1024;

    private final ClientSocket socket;
    private final RequestBody body;

    @Kept("made the next one when it is used")
    private @Nullable Exchange exchange;

    @Kept("made the next one when it is used")
    private @Nullable ExchangeEvents events;

    @Kept("made the next one when it is used")
    private @Nullable Call call;
    /** What the client has not read yet of a response that the node sends faster; null for most. */
    @Kept("null once the response has ended")
    private @Nullable Spool spool;

    @Kept("stopped once the response has ended")
    private @Nullable ReadRate readRate;

    @Kept("no stream that has one is used again")
    private @Nullable Tunnel tunnel;

    private boolean ended;

    @SuppressWarnings("this-escape") // The body only remembers where it comes from.
    protected ClientStream(ClientSocket socket) {
        this.socket = socket;
        this.body = new RequestBody(this);
    }

    /**
     * Makes the exchange and announces it; the body follows.
     *
     * @return what drives it, which has not begun
     */
    protected final ExchangeEvents open(RequestHead head) {
        long now = loop().nanos();
        Exchange begun = exchange;
        if (begun == null) {
            begun = new Exchange(head, this, loop().index(), now);
            exchange = begun;
        } else {
            begun.again(head, now);
        }
        socket.exchangeBegun();
        ExchangeEvents opened = socket.binding().open(begun, events);
        events = opened;
        return opened;
    }

    @Override
    public final int prefetch(int distance) {
        Exchange known = exchange;
        ExchangeEvents driver = events;
        Call last = call;
        if (distance == 0) {
            return (ended ? 1 : 0) + (last == null ? 1 : 0);
        }
        return body.prefetch(distance - 1)
                + (known == null ? 0 : known.prefetch(distance - 1))
                + (driver == null ? 0 : driver.prefetch(distance - 1))
                // What the call leads to, this leads to as well.
                + (distance == 1 && last != null ? last.prefetch(0) : 0);
    }

    /** As {@link #prefetch}, of what a response needs. */
    protected int prefetchResponse(int distance) {
        return distance == 0 ? prefetch(0) : body.prefetch(distance - 1);
    }

    /**
     * Returns whether nothing but this knows of the exchange any more, which ended well, so that another one can take
     * its place.
     */
    protected final boolean isLeft() {
        return ended
                && exchange != null
                && !exchange.isShared()
                && exchange.error() == null
                && body.isEnded()
                && (call == null || call.isLeft());
    }

    /** Makes it the stream of another request; {@link #isLeft} was true. */
    protected final void again() {
        assert spool == null;
        ended = false;
        body.again();
    }

    /** Returns how much memory is held for the exchange, in bytes. */
    public long held() {
        Call running = call;
        Spool waiting = spool;
        return body.cost() + (running == null ? 0 : running.held()) + (waiting == null ? 0 : waiting.cost());
    }

    /** Counts a body that is to come towards what the exchange takes. */
    protected final void countBody() {
        body.count(exchange(), () -> {
            if (events != null) {
                events.onBodyRefused(ErrorKind.BODY_TOO_LARGE);
            }
        });
    }

    /** Watches that the body comes at the least rate that is asked for, if any. */
    protected final void watchRate() {
        ServerLimits limits = socket.limits();
        if (limits.bodyBytesPerSecondMin() == 0) {
            return;
        }
        long bytesMin = (long) limits.bodyBytesPerSecondMin() * limits.bodyRatePeriodMillis() / 1000;
        BodyRate rate = new BodyRate(
                loop().exchangeDeadlines(),
                limits.bodyRatePeriodMillis(),
                Math.max(1, bytesMin),
                () -> bodyFailed(ErrorKind.REQUEST_TIMEOUT));
        RequestHead request = exchange().request();
        boolean awaits =
                request.fields().contains("expect") && !request.protocol().equals("HTTP/1.0");
        body.watch(rate, !awaits);
    }

    /** Notes whether the body may come as slowly as it likes. */
    final void bodyMayRest(boolean may) {
        if (may) {
            body.unwatch();
        } else if (!body.isWatched()) {
            watchRate();
        }
    }

    /** Ends the exchange because its body is malformed or too slow; nothing more is passed on. */
    public final void bodyFailed(ErrorKind kind) {
        if (ended || events == null) {
            closeConnection();
        } else {
            body.fail();
            events.onBodyRefused(kind);
        }
    }

    public final Exchange exchange() {
        return Objects.requireNonNull(exchange);
    }

    protected final ClientSocket socket() {
        return socket;
    }

    public final Loop loop() {
        return socket.loop();
    }

    public final RequestBody body() {
        return body;
    }

    /** Returns the trailers of the request as nodes get them, when the body has ended; null for none. */
    final @Nullable Fields requestTrailers() {
        Fields trailers = body.trailers();
        if (trailers != null) {
            ConnectionFields.stripRequestTrailers(trailers);
            exchange().stripTrailers(trailers);
        }
        return trailers;
    }

    @Override
    public final @Nullable String clientSubject() {
        return socket.clientSubject();
    }

    /** Sends the request to a node; the call is the one that hears when the client reads again. */
    public final void call(Forward forward, ForwardEvents callEvents) {
        Call started = call;
        if (started != null && started.isLeft()) {
            started.again(forward, callEvents);
        } else {
            started = new Call(this, forward, callEvents);
            call = started;
        }
        started.start();
    }

    /** Returns the call in progress or the last one; null before the first. */
    public final @Nullable Call call() {
        return call;
    }

    public abstract boolean isHttp2();

    /** Returns whether the exchange is over. */
    public final boolean isEnded() {
        return ended;
    }

    /** Returns whether a final response has begun. */
    public abstract boolean isHeadWritten();

    /**
     * Notes whether the node is waited for or the call has a limit of its own, so that the client's connection is not
     * idle meanwhile.
     */
    final void waiting(boolean now) {
        if (now) {
            socket.waitBegun();
        } else {
            socket.waitEnded();
        }
    }

    /** Writes a 100 of the gateway's own. */
    public abstract void writeContinue();

    /** Writes an interim response of a node. */
    public abstract void writeInterim(int status, Fields fields);

    /** Begins the response; a body follows piece by piece unless it has none. */
    public abstract void respond(ResponseHead head);

    /** Writes a piece of the body, which is the client's to release. */
    public abstract void write(ByteBuf piece);

    /** Returns whether {@link #write(PipedBytes)} may be called for the response that has begun. */
    public boolean takesPiped() {
        return false;
    }

    /** Writes a piece of the body, which is the client's to release. */
    public void write(PipedBytes piece) {
        throw new IllegalStateException("it takes no piped bytes");
    }

    /**
     * Returns whether the client has to read before more should be written; {@link #drained} follows then.
     *
     * @param readAhead how much may wait beside what the connection takes, in bytes
     */
    public abstract boolean isFull(int readAhead);

    /** The client has read what waited. */
    public final void drained() {
        Spool waiting = spool;
        if (tunnel != null) {
            tunnel.clientWritable();
        } else if (waiting == null) {
            spoolMoved();
        } else {
            waiting.pump();
            if (!waiting.isFull()) {
                spoolMoved();
            }
        }
    }

    /** There may be room for more of the response. */
    final void spoolMoved() {
        Spool waiting = spool;
        if (call != null && (waiting == null || (!waiting.isEnded() && !waiting.isFull()))) {
            call.onClientDrained();
        }
    }

    /** What waited cannot be read again. */
    final void spoolFailed() {
        if (!ended) {
            exchange().fail(GatewayError.gateway(ErrorKind.INTERNAL, null));
            abort();
        }
    }

    /**
     * Has the response wait beside the connection from now on, so that its node need not, where there is room for that.
     *
     * @return whether it does
     */
    final boolean spool() {
        if (spool == null && socket.spools().takeFile()) {
            Object owner = socket.owner();
            spool = new Spool(this, socket.spools(), owner == null ? socket : owner);
        }
        return spool != null;
    }

    /** Returns whether the response waits beside the connection. */
    final boolean isSpooled() {
        return spool != null;
    }

    /** Returns whether the node has to wait before it sends more; {@link Call#onClientDrained} follows. */
    final boolean isSpoolFull() {
        return spool != null && spool.isFull();
    }

    /** Writes a piece of the response, which is this method's to release, or has it wait behind what waits. */
    final void pass(ByteBuf piece) {
        Spool waiting = spool;
        if (waiting == null) {
            write(piece);
        } else {
            waiting.add(piece);
        }
    }

    /**
     * Ends the response when the client has what waits.
     *
     * @param trailers null for none
     */
    final void passEnd(@Nullable Fields trailers) {
        Spool waiting = spool;
        if (waiting == null) {
            finish(trailers);
        } else {
            waiting.end(trailers);
        }
    }

    /** Notes that the client is waited for, so that it has to read at the least rate that is asked for. */
    protected final void watchReading() {
        ServerLimits limits = socket.limits();
        if (ended || limits.responseBytesPerSecondMin() == 0) {
            return;
        }
        ReadRate rate = readRate;
        if (rate == null) {
            rate = new ReadRate(this, limits);
            readRate = rate;
        }
        rate.start();
    }

    /** Returns how much of the response was given to the connection and not taken by it, in bytes. */
    protected abstract long unread();

    /** Returns how much of the response the client has taken, in bytes. */
    final long taken() {
        Spool waiting = spool;
        return exchange().bytesOut() - (waiting == null ? 0 : waiting.bytes()) - unread();
    }

    /** Returns whether the client has to read before more can be sent, or before the response is over. */
    final boolean isWaitedFor() {
        return !ended && (unread() > 0 || spool != null);
    }

    /** The client reads more slowly than it may. */
    final void readsTooSlowly() {
        if (!ended) {
            exchange().fail(GatewayError.downstream(ErrorKind.READ_TOO_SLOW));
            abort();
        }
    }

    /**
     * Ends the response.
     *
     * @param trailers null for none
     */
    public abstract void finish(@Nullable Fields trailers);

    /** Returns what passes bytes once protocols were switched. */
    protected abstract TunnelEnd tunnelEnd();

    /** Tells the client that protocols are switched. */
    protected abstract void answerSwitch(ResponseHead head);

    /**
     * Passes everything that the client sends to {@code joined} from now on, and before it what has arrived already.
     */
    protected void join(Tunnel joined) {
        tunnel = joined;
    }

    /** Passes the body to {@code joined}, for which it is what the client sends. */
    protected final void passBody(Tunnel joined) {
        body.to(
                new RequestBody.Sink() {
                    @Override
                    public void onBody(ByteBuf data) {
                        joined.fromClient(data);
                    }

                    @Override
                    public void onBodyPiped(PipedBytes piece) {
                        throw new IllegalStateException("nobody asked for pipes");
                    }

                    @Override
                    public void onBodyEnd() {
                        joined.clientEnded();
                    }
                },
                false);
    }

    /** Returns the connection to a node that is the client's alone; null for none. */
    final @Nullable PrivateNode privateNode() {
        return socket.privateNode();
    }

    final void privateNode(PrivateNode kept) {
        socket.privateNode(kept);
    }

    /** Returns the node to which the client has a connection of its own; null for none. */
    public final @Nullable NodeEndpoint ownNode() {
        PrivateNode kept = socket.privateNode();
        return kept != null && kept.isUsable() ? kept.node() : null;
    }

    /** Returns whether the client may come again on HTTP/1.1. */
    final boolean mayUseHttp1() {
        return !socket.binding().source().http2().only();
    }

    /** Returns how long nothing may pass on the connection of the client, in milliseconds. */
    final int idleMillis() {
        return socket.limits().idleTimeoutMillis();
    }

    /** Returns how long nothing may pass where both sides may be silent, in milliseconds. */
    final int restMillis() {
        return socket.limits().streamIdleTimeoutMillis();
    }

    /** Returns how long nothing may pass through a tunnel. */
    final TunnelRest tunnelRest() {
        return new TunnelRest(restMillis(), idleMillis());
    }

    /** Returns the tunnel that the exchange has become; null for none. */
    protected final @Nullable Tunnel tunnel() {
        return tunnel;
    }

    /**
     * Returns whether nobody can tell from a client that sends nothing more whether it waits: see
     * {@link Call#isHopeless}.
     */
    public final boolean isHopeless() {
        return call != null && call.isHopeless();
    }

    /** Returns the body of an answer in the coding that a filter chose. */
    protected final byte[] encoded(byte[] content) {
        BodyEncoder encoder = exchange().get(Attributes.BODY_ENCODER);
        return encoder == null ? content : BodyEncoder.whole(encoder, content);
    }

    /** Says how long the content of an answer of the gateway's own is, or that to GET would be (RFC 9110 §8.6). */
    protected final void announceLength(ResponseHead head, int length) {
        boolean none = head.status() == 204 || head.status() == 304;
        // The content of an answer to HEAD is not coded, so that nobody knows its length.
        boolean unknown =
                exchange().request().method().equals("HEAD") && head.fields().contains("content-encoding");
        if (!none && !unknown) {
            head.fields().set("content-length", String.valueOf(length));
        }
    }

    /**
     * Ends the stream so that the client cannot take the response for complete.
     *
     * @param code tells an HTTP/2 client why
     */
    public abstract void abort(long code);

    /** Gives up the call in progress, if there is one. */
    public final void cancelCall() {
        if (call != null) {
            call.cancel();
        }
    }

    /** Ends the exchange. */
    public final void end(@Nullable GatewayError error) {
        if (!ended) {
            ended = true;
            body.close();
            letGo();
            socket.exchangeEnded();
            if (events != null) {
                events.onEnd(error);
            }
        }
    }

    private void letGo() {
        Spool waiting = spool;
        spool = null;
        if (waiting != null) {
            waiting.close();
        }
        if (readRate != null) {
            readRate.stop();
        }
    }

    /** The client is gone. */
    public final void gone() {
        loop().exchangeDeadlines().remove(this);
        body.abort();
        if (!ended) {
            cancelCall();
            end(GatewayError.downstream(ErrorKind.CLIENT_ABORTED));
        }
    }

    /** Reads on for a while after the answer, so that the client, which still sends, can read it. */
    protected final void linger() {
        // What arrives is no head, which would have to become complete in time.
        socket.exchangeBegun();
        body.discard(LINGER_BYTES);
        if (isClosing()) {
            socket.endOutput();
        }
        loop().exchangeDeadlines().set(this, LINGER_MILLIS);
    }

    @Override
    protected final void onDeadline() {
        loop().exchangeDeadlines().remove(this);
        if (!body.isEnded() || isClosing()) {
            closeConnection();
        }
    }

    /** The rest of a body that nobody wanted is read: what follows is the next head. */
    @Override
    public final void discarded() {
        socket.exchangeEnded();
    }

    @Override
    protected final void onDeadlineFailed() {
        closeConnection();
    }

    /** Returns whether the connection ends after the answer. */
    protected abstract boolean isClosing();

    /** Closes the connection after what was written. */
    protected abstract void closeConnection();
}

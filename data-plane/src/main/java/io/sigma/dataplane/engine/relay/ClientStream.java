package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.ForwardEvents;
import io.sigma.dataplane.engine.body.BodyRate;
import io.sigma.dataplane.engine.body.BodySource;
import io.sigma.dataplane.engine.body.RequestBody;
import io.sigma.dataplane.engine.tunnel.Tunnel;
import io.sigma.dataplane.engine.tunnel.TunnelBody;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.Downstream;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
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
public abstract class ClientStream implements Downstream, BodySource, Prefetched {

    private final ClientSocket socket;
    private final RequestBody body;

    @Kept("made the next one when it is used")
    private @Nullable Exchange exchange;

    @Kept("made the next one when it is used")
    private @Nullable ExchangeEvents events;

    @Kept("made the next one when it is used")
    private @Nullable Call call;
    /** Holds a response that the client reads slowly. Null while no response waits. */
    @Kept("holds nothing once the response has ended")
    private @Nullable SlowReader slowReader;

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
     * @return its driver, which has not begun
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
                // The objects of the call are needed here too.
                + (last == null ? 0 : last.prefetchRequest(distance - 1));
    }

    /** As {@link #prefetch}, of what a response needs. */
    protected int prefetchResponse(int distance) {
        return distance == 0 ? prefetch(0) : body.prefetch(distance - 1);
    }

    /**
     * Returns whether nothing but this knows of the exchange any more, which ended well, so that another one can take
     * its place.
     */
    public final boolean isLeft() {
        return ended
                && exchange != null
                && !exchange.isShared()
                && exchange.error() == null
                && body.isEnded()
                && (call == null || call.isLeft());
    }

    /** Makes it the stream of another request; {@link #isLeft} was true. */
    protected final void again() {
        assert slowReader == null || !slowReader.isSpooled();
        ended = false;
        body.again();
    }

    /** Returns how much memory is held for the exchange, in bytes. */
    public long held() {
        Call running = call;
        SlowReader slow = slowReader;
        return body.cost() + (running == null ? 0 : running.held()) + (slow == null ? 0 : slow.cost());
    }

    /** Counts a body that is to come towards what the exchange takes. */
    protected final void countBody() {
        body.count(exchange());
    }

    @Override
    public final void bodyTooLarge() {
        if (events != null) {
            events.onBodyRefused(ErrorKind.BODY_TOO_LARGE);
        }
    }

    /** Watches that the body comes at the least rate that is asked for, if any. */
    protected final void watchRate() {
        ServerLimits limits = socket.limits();
        if (limits.bodyBytesPerSecondMin() == 0) {
            return;
        }
        BodyRate rate = new BodyRate(
                loop().exchangeDeadlines(),
                limits.bodyRatePeriodMillis(),
                limits.bodyBytesPerSecondMin(),
                new SlowBody(
                        () -> call == null ? null : call.heldNode(),
                        exchange().clientKey(),
                        () -> bodyFailed(ErrorKind.REQUEST_TIMEOUT)));
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
        SlowReader slow = slowReader;
        if (tunnel != null) {
            tunnel.clientWritable();
        } else if (slow != null) {
            slow.drained();
        } else {
            resumeCall();
        }
    }

    /** There may be room for more of the response. */
    final void resumeCall() {
        if (call != null) {
            call.onClientDrained();
        }
    }

    /** Returns what becomes of a response that the client reads slowly; null as long as it reads fast enough. */
    final @Nullable SlowReader slowReader() {
        return slowReader;
    }

    /** Returns what becomes of a response that the client reads slowly, from now on. */
    final SlowReader readsSlowly() {
        SlowReader slow = slowReader;
        if (slow == null) {
            slow = new SlowReader(this, socket);
            slowReader = slow;
        }
        return slow;
    }

    /** Notes that the client is waited for, so that it has to read at the least rate that is asked for. */
    protected final void watchReading() {
        if (!ended && socket.limits().responseBytesPerSecondMin() > 0) {
            readsSlowly().watch();
        }
    }

    /** Returns how much of the response was given to the connection and not taken by it, in bytes. */
    protected abstract long unread();

    /** Returns how much the client has not received of that, and of what the kernel took, in bytes. */
    public abstract long undelivered();

    /** Ends the response, with {@code trailers} unless they are null. */
    public abstract void finish(@Nullable Fields trailers);

    /** Returns what passes bytes once protocols were switched. */
    protected abstract TunnelEnd tunnelEnd();

    /** Tells the client that protocols are switched. */
    protected abstract void answerSwitch(ResponseHead head);

    /** Passes all that the client sends to {@code joined} from now on, and before it what has arrived already. */
    protected void join(Tunnel joined) {
        tunnel = joined;
    }

    /** Passes the body to {@code joined}, for which it is what the client sends. */
    protected final void passBody(Tunnel joined) {
        body.to(new TunnelBody(joined), false);
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
            if (slowReader != null) {
                slowReader.close();
            }
            socket.exchangeEnded();
            if (events != null) {
                events.onEnd(error);
            }
        }
    }

    /** The client is gone. */
    public void gone() {
        body.abort();
        if (!ended) {
            cancelCall();
            end(GatewayError.downstream(ErrorKind.CLIENT_ABORTED));
        }
    }

    /** Closes the connection after what was written. */
    protected abstract void closeConnection();
}

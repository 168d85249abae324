package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.rule.Grpc;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.Waiter;
import io.sigma.model.ServerLimits;
import org.jspecify.annotations.Nullable;

/**
 * The timeouts of a call while it waits: for a connection, for a node that reads, for the answer, for the client. In
 * gRPC calls and event streams both sides may be silent for longer, as far as the node has places for that. Confined to
 * the event loop of the exchange.
 */
abstract class TimedCall extends Waiter {

    /**
     * The wait for 100 of a node, in milliseconds; the same as in curl. Some nodes never send it (RFC 9110 §10.1.1).
     */
    private static final long CONTINUE_MILLIS = 1_000;

    /**
     * The time after which an incomplete request is the client's fault, from the connection to the node on, in
     * nanoseconds.
     */
    private static final long BEHIND_NANOS = 1_000_000_000;

    @Kept("has one call at a time")
    private final ClientStream client;

    @Kept("made the next one by the stream of the client")
    private final Exchange exchange;

    private final Deadlines deadlines;
    private Forward forward;
    private int state = CallState.HOLDING;

    @Kept("false once the call is over")
    private boolean waiting;

    private final Delivery delivery = new Delivery();
    /** True while the node has to read before it gets more of the body. */
    private boolean full;

    /** True if the request was not complete when the node answered or broke off, because the client is slow. */
    private boolean behind;

    /** True while the response is an event stream, which may last for hours. */
    private boolean lasting;

    /** True if both sides may be silent up to streamIdleTimeoutMillis: a gRPC call or an event stream. */
    private boolean rests;
    /** True while reading from the node is paused, because the client has to read first. */
    private boolean responsePaused;

    /** True while the call holds a place in the limit of silent streams of the node. */
    @Kept("false once the call is over")
    private boolean restHeld;

    /** True while the call, and no connection yet, holds a place in the limit of tunnels of the node. */
    @Kept("false once the call is over")
    private boolean tunnelHeld;

    TimedCall(ClientStream client, Forward forward) {
        this.client = client;
        this.exchange = client.exchange();
        this.deadlines = client.loop().exchangeDeadlines();
        this.forward = forward;
    }

    /** Makes it a call for {@code next}. */
    void again(Forward next) {
        assert !waiting && !restHeld && !tunnelHeld;
        forward = next;
        state = CallState.HOLDING;
        delivery.forget();
        full = false;
        behind = false;
        lasting = false;
        rests = false;
        responsePaused = false;
    }

    final ClientStream clientStream() {
        return client;
    }

    final Exchange exchange() {
        return exchange;
    }

    final Deadlines deadlines() {
        return deadlines;
    }

    final Forward forward() {
        return forward;
    }

    /** Returns what it does, a {@link CallState}. */
    final int state() {
        return state;
    }

    final void state(int next) {
        if (next == CallState.OVER) {
            behind = awaitsClient();
        }
        state = next;
    }

    @Override
    protected final long client() {
        return exchange.clientKey();
    }

    @Override
    protected final int waitMillisMax() {
        return forward.connectMillis();
    }

    /** Tells the client's connection whether the node is waited for, or the call has a limit of its own. */
    final void waiting(boolean now) {
        if (waiting != now) {
            waiting = now;
            if (now) {
                client.socket().waitBegun();
            } else {
                client.socket().waitEnded();
            }
        }
    }

    // --- Request

    final void awaitConnection() {
        state = CallState.CONNECTING;
        waiting(true);
        deadlines.set(this, forward.connectMillis());
    }

    /** The connection is there. */
    final void connected() {
        state = CallState.OPENING;
        waiting(client.body().isEnded());
        exchange.connectedNanos(client.loop().nanos());
    }

    /** It waits for the client, and the client's connection bounds that silence. */
    final void pause() {
        deadlines.pause(this);
    }

    /** The client waits for 100. */
    final void awaitContinue() {
        deadlines.set(this, CONTINUE_MILLIS);
    }

    final boolean isGrpc() {
        return client.isHttp2() && Grpc.isCall(exchange.request().fields());
    }

    /**
     * Has a call of gRPC rest where it shares its connection to the node. What a client says of its request alone
     * keeps no connection from others: on HTTP/1.1 the body has to come at its least rate.
     */
    final void beginRest(NodeStream stream) {
        if (isGrpc()) {
            rests = stream.isHttp2();
            client.bodyMayRest(rests);
            waiting(rests || client.body().isEnded());
            awaitBody();
        }
    }

    /** A piece of the body has come. A node that answers early may be silent for as long as it is sent a request. */
    final void bodyCame() {
        full = false;
        if (state == CallState.SENDING) {
            awaitBody();
        } else if (state == CallState.RESPONDING && !responsePaused) {
            awaitData();
        }
    }

    /** The connection of the client bounds how long it may send nothing, unless the call may rest. */
    final void awaitBody() {
        if (rests) {
            awaitEither();
        } else {
            pause();
        }
    }

    /** Starts the timer of a node that reads too slowly: {@code out} has no room for more of the body. */
    final void awaitRoom(NodeStream out) {
        client.body().pause();
        delivery.awaitRoom(out);
        if (state == CallState.SENDING) {
            waiting(true);
            deadlines.set(this, forward.idleMillis());
        } else if (state == CallState.RESPONDING) {
            bodyCame();
        }
        full = true;
    }

    /** The node reads again. */
    final void roomCame() {
        full = false;
        waiting(rests);
        awaitBody();
    }

    /** Returns how far the node has got with the request. */
    final Delivery delivery() {
        return delivery;
    }

    /**
     * The node has received some of the request, and has its time again.
     *
     * @param full the stream whose node has to read first; null when all of the request was sent
     */
    final void awaitAgain(@Nullable NodeStream full) {
        if (full != null) {
            awaitRoom(full);
        } else if (state == CallState.AWAITING) {
            deadlines.set(this, forward.responseMillis());
        } else {
            awaitData();
        }
    }

    /** Returns whether the node has waited for a while for more of the request than the client has sent. */
    private boolean awaitsClient() {
        boolean begun = state == CallState.SENDING || state == CallState.RESPONDING;
        return begun
                && !full
                && !client.body().isEnded()
                && client.loop().nanos() - exchange.connectedNanos() >= BEHIND_NANOS;
    }

    /** Returns whether the node answered or broke off when it had waited for the client; many give up slow ones. */
    public final boolean isClientBehind() {
        return behind;
    }

    /** Returns a failure of the call that is over: of the client where that was slow, else of the node. */
    final GatewayError failure(ErrorKind kind, @Nullable Throwable cause) {
        return behind ? GatewayError.downstream(kind, cause) : GatewayError.upstream(kind, cause);
    }

    /** All of the request is sent. */
    final void awaitAnswer() {
        state = CallState.AWAITING;
        waiting(true);
        deadlines.set(this, forward.responseMillis());
    }

    // --- Response

    /**
     * The response has begun.
     *
     * @param openEnded whether it has no length that was announced
     * @return whether it lasts and holds a place among the tunnels: its connection is not one for requests
     */
    final boolean respond(Fields fields, boolean http2, boolean openEnded) {
        behind = awaitsClient();
        state = CallState.RESPONDING;
        boolean events = ResponseRules.isEventStream(fields);
        lasting = openEnded && (events || (isGrpc() && Grpc.isCall(fields)));
        boolean placed = lasting && takeTunnel();
        rests |= placed || (http2 && events);
        return placed;
    }

    final boolean isLasting() {
        return lasting;
    }

    /** Returns whether both sides may be silent for long. */
    final boolean mayRest() {
        return rests;
    }

    /** Protocols are switched: what follows has limits of its own. */
    final void switched() {
        state = CallState.TUNNEL;
        deadlines.remove(this);
    }

    /** The node may be silent for the idle timeout of the proxy pass, unless both sides may rest. */
    final void awaitData() {
        if (rests) {
            awaitEither();
        } else {
            deadlines.set(this, forward.idleMillis());
        }
    }

    /** Pauses reading from the node: the call waits until the client has read more of the response. */
    final void awaitReader(NodeStream in) {
        responsePaused = true;
        in.pause();
        pause();
    }

    /** The client reads again. */
    final void readerCame(NodeStream in) {
        if (responsePaused) {
            responsePaused = false;
            awaitData();
            in.resume();
        }
    }

    /** Waits for the next of what may rest. */
    private void awaitEither() {
        int rest = limits().streamIdleTimeoutMillis();
        deadlines.set(this, isPlaced() ? rest : Math.min(rest, busyMillis()));
    }

    /** Returns whether it has a place among those that are silent for long. */
    private boolean isPlaced() {
        return restHeld || lasting;
    }

    /** Returns how long a call may be silent that has no such place, in milliseconds. */
    private int busyMillis() {
        return state == CallState.RESPONDING ? forward.idleMillis() : limits().idleTimeoutMillis();
    }

    private ServerLimits limits() {
        return client.socket().limits();
    }

    /** Lets a silent call go on, as far as there is a place for it. */
    final boolean tryRest() {
        int more = limits().streamIdleTimeoutMillis() - busyMillis();
        if (!rests || isPlaced() || more <= 0 || !forward.node().rests().tryTake(client())) {
            return false;
        }
        restHeld = true;
        deadlines.set(this, more);
        return true;
    }

    /** Takes a place among the tunnels of the node; returns false when there is none. */
    final boolean takeTunnel() {
        tunnelHeld = tunnelHeld || forward.node().tryTunnel(client());
        return tunnelHeld;
    }

    /** The place among the tunnels is that of the connection from now on, whose place in the pool is free. */
    final void leavePool(@Nullable NodeStream stream) {
        if (stream != null && stream.becomeTunnel()) {
            tunnelHeld = false;
        }
    }

    /** Returns the node to which it has a connection; null for none. */
    final @Nullable NodeEndpoint heldNode() {
        return state < CallState.OPENING || state > CallState.RESPONDING ? null : forward.node();
    }

    /** Waits for nothing any more, and gives back what is held at the node. */
    final void endWaiting() {
        waiting(false);
        deadlines.remove(this);
        if (tunnelHeld) {
            tunnelHeld = false;
            forward.node().tunnelEnded(client());
        }
        if (restHeld) {
            restHeld = false;
            forward.node().rests().giveBack(client());
        }
    }

    /** Returns why a call was given up that was silent for too long while the response came. */
    final GatewayError silence(boolean requestEnded) {
        // A node that has not got all of the request may wait for the rest of it.
        return rests && !requestEnded
                ? GatewayError.downstream(ErrorKind.REQUEST_TIMEOUT)
                : failure(ErrorKind.BODY_TIMEOUT, null);
    }

    @Override
    protected final void onDeadlineFailed() {
        client.abort();
    }
}

package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.sigma.dataplane.engine.tunnel.ProtocolSwitch;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.BodyEncoder;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.exchange.rule.ConnectionLogin;
import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.loop.Prefetched;
import java.nio.channels.ClosedChannelException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The response half of a call: passes on interim responses that the client understands, the head, and the body in the
 * coding that a filter chose, as fast as the client reads. It is recycled with its call. Confined to the event loop of
 * the exchange.
 */
final class ResponseRelay implements Prefetched {

    private static final int CONTINUE = 100;

    @Kept("used again with it")
    private final Call call;

    @Kept("has one call at a time")
    private final ClientStream client;

    @Kept("made the next one by the stream of the client")
    private final Exchange exchange;

    @Kept("made the next one when it is used")
    private @Nullable ResponseHead announced;

    private @Nullable BodyEncoder encoder;
    /** True if the gateway sent 100 (Continue) instead of the node. */
    private boolean continued;

    private boolean told;

    private boolean bodiless;
    /** True if the node keeps the connection open after the response. */
    private boolean persistent;

    /** Field names in the Connection field of the response. Trailers with these names are not passed on. */
    private Set<String> connectionOptions = Set.of();

    ResponseRelay(Call call) {
        this.call = call;
        this.client = call.clientStream();
        this.exchange = call.exchange();
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0 && bodiless ? 1 : 0;
    }

    /** Makes it the relay of another response. */
    void again() {
        encoder = null;
        continued = false;
        told = false;
        bodiless = false;
        persistent = false;
        connectionOptions = Set.of();
    }

    /** Returns whether the node keeps the connection, as far as its head said. */
    boolean isPersistent() {
        return persistent;
    }

    /** Tells the client to send its body, in the place of a node that does not. */
    void proceed() {
        if (takesInterim()) {
            continued = true;
            told = true;
            client.writeContinue();
            client.body().awaited();
        }
    }

    /** Tells a client that waits for 100 so before protocols are switched (RFC 9110 §7.8), unless it was told. */
    void proceedToSwitch() {
        if (!told && exchange.get(Attributes.AWAITS_SWITCH) != null) {
            proceed();
        }
    }

    /**
     * Passes an interim response on, whether or not the client waits for one (RFC 9110 §15.2), unless it comes too
     * late. A 100 that the gateway has sent is not repeated.
     */
    void interim(int status, Fields fields) {
        if (!takesInterim() || (status == CONTINUE && continued)) {
            return;
        }
        ConnectionFields.stripInterim(fields);
        exchange.stripAnswer(fields);
        client.writeInterim(status, fields);
        if (status == CONTINUE) {
            told = true;
            client.body().awaited();
        }
    }

    /** HTTP/1.0 has no interim responses. */
    private boolean takesInterim() {
        return !client.isEnded()
                && !client.isHeadWritten()
                && !exchange.request().protocol().equals("HTTP/1.0");
    }

    /**
     * Takes the head of the final response, or of a switch of protocols.
     *
     * @param request that was answered
     * @param node that answered; null when it is gone
     */
    void onHead(int status, Fields fields, boolean keepsConnection, RequestRelay request, @Nullable NodeStream node) {
        if (request.isLate(status, keepsConnection, node)) {
            call.onFailed(NodeFailure.broken(new ClosedChannelException()));
            return;
        }
        call.waiting(false);
        exchange.firstByteNanos(client.loop().nanos());
        persistent = keepsConnection;
        boolean http2 = node != null && node.isHttp2();
        ProtocolSwitch wanted = request.switching();
        if (wanted != null && wanted.isGranted(status, http2)) {
            onSwitch(head(status, fields), wanted, request.maySwitch(), http2);
        } else if (wanted != null && status < 300 && client.isHttp2()) {
            // On HTTP/2 it would say that the protocol was switched (RFC 8441 §5).
            call.fail(GatewayError.gateway(ErrorKind.NO_SWITCH, null));
        } else if (status == 401 && client.isHttp2() && client.mayUseHttp1() && ConnectionLogin.isAskedFor(fields)) {
            call.requireHttp1();
        } else if (status < 200) {
            // A 101 that nobody asked for; other interim responses were dropped where they were decoded.
            call.fail(GatewayError.upstream(ErrorKind.BAD_RESPONSE, null));
        } else {
            ResponseHead head = head(status, fields);
            connectionOptions = ConnectionFields.options(fields);
            if (call.respond(fields, http2, node != null && node.isOpenEnded())) {
                call.leavePool(node);
            }
            call.waiting(call.mayRest());
            call.awaitData();
            call.events().onResponse(head);
        }
    }

    private void onSwitch(ResponseHead head, ProtocolSwitch wanted, boolean timely, boolean http2) {
        if (!timely || !wanted.translate(head, http2)) {
            call.fail(GatewayError.upstream(ErrorKind.BAD_RESPONSE, null));
            return;
        }
        call.switched();
        call.events().onSwitching(head);
    }

    /** Returns the head to announce, which is the same object for each response. */
    private ResponseHead head(int status, Fields fields) {
        ResponseHead head = announced;
        if (head == null) {
            head = new ResponseHead(status, fields);
            announced = head;
        } else {
            head.again(status, fields);
        }
        return head;
    }

    /**
     * Begins the response.
     *
     * @param node that answered; null when it is gone
     */
    void begin(ResponseHead head, @Nullable NodeStream node) {
        bodiless = ResponseHead.isBodiless(head.status(), exchange.request().method())
                || ResponseHead.isReset(head.status());
        encoder = exchange.get(Attributes.BODY_ENCODER);
        client.respond(head);
        if (node != null && takesPiped()) {
            node.pipe();
        }
    }

    /** Takes a piece of the body, which is this method's to release. */
    void onData(ByteBuf piece, NodeStream in) {
        if (takesBody()) {
            write(piece);
            passedOn(in);
        } else {
            piece.release();
        }
    }

    /** Takes a piece of the body, which is this method's to release. */
    void onPiped(PipedBytes piece, NodeStream in) {
        if (isSpooled() && takesBody()) {
            // It was under way when the client was found to be slow.
            write(piece.read(PooledByteBufAllocator.DEFAULT));
            passedOn(in);
        } else if (takesPiped()) {
            exchange.sent(piece.length());
            client.write(piece);
            passedOn(in);
        } else {
            piece.release();
        }
    }

    private void passedOn(NodeStream in) {
        call.delivery().answered(in);
        if (mustWait(in)) {
            call.awaitReader(in);
        } else {
            call.awaitData();
        }
    }

    /** Returns whether the node has to wait until the client has read something. */
    private boolean mustWait(NodeStream in) {
        SlowReader slow = client.slowReader();
        if (slow != null && slow.isSpooled()) {
            return slow.isFull();
        }
        return client.isFull(call.forward().buffering().readAhead()) && !spools(in);
    }

    /**
     * Has what the client does not read for now wait beside its connection, if there is room; the node is read on then.
     */
    private boolean spools(NodeStream in) {
        client.watchReading();
        if (!client.readsSlowly().spool()) {
            return false;
        }
        in.unpipe();
        return true;
    }

    /** There is room for more of the response. */
    void readerCame(NodeStream in) {
        if (isSpooled()) {
            in.unpipe();
        }
        call.readerCame(in);
    }

    private boolean isSpooled() {
        SlowReader slow = client.slowReader();
        return slow != null && slow.isSpooled();
    }

    /**
     * The response is complete, and its connection given back.
     *
     * @param trailers null for none
     */
    void end(@Nullable Fields trailers) {
        if (client.isEnded()) {
            return;
        }
        if (trailers != null) {
            ConnectionFields.stripResponseTrailers(trailers);
            ConnectionFields.stripNamed(trailers, connectionOptions);
            if (encoder != null) {
                trailers.removeAll(BodyEncoder.OF_THE_CONTENT);
                trailers.remove("etag");
            }
        }
        SlowReader slow = client.slowReader();
        if (slow == null) {
            client.finish(trailers);
        } else {
            slow.finish(trailers);
        }
    }

    /** Returns whether the client takes a body. */
    private boolean takesBody() {
        return !client.isEnded() && !bodiless;
    }

    /** Returns whether the client takes a body that is not looked at. */
    private boolean takesPiped() {
        return encoder == null && takesBody() && !isSpooled() && client.takesPiped();
    }

    /** Writes a piece of the body, which is this method's to release. */
    private void write(ByteBuf piece) {
        BodyEncoder coding = encoder;
        if (coding == null) {
            send(piece);
        } else {
            byte[] plain = ByteBufUtil.getBytes(piece);
            piece.release();
            send(Unpooled.wrappedBuffer(coding.encode(plain)));
        }
    }

    /** Writes what the coding has held back of the body. */
    void writeRest() {
        BodyEncoder coding = encoder;
        if (coding != null && takesBody()) {
            send(Unpooled.wrappedBuffer(coding.finish()));
        }
    }

    private void send(ByteBuf coded) {
        exchange.sent(coded.readableBytes());
        SlowReader slow = client.slowReader();
        if (!coded.isReadable()) {
            coded.release();
        } else if (slow == null) {
            client.write(coded);
        } else {
            slow.write(coded);
        }
    }
}

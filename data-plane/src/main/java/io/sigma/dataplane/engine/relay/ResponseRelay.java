package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.BodyEncoder;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.loop.Prefetched;
import org.jspecify.annotations.Nullable;

/**
 * What a client gets of a node's answer: interim responses that it understands, and the body in the coding that a
 * filter chose. When it gets them is for the call to say, with which it is used again. Confined to the event loop of
 * the exchange.
 */
final class ResponseRelay implements Prefetched {

    private static final int CONTINUE = 100;

    @Kept("has one call at a time")
    private final ClientStream client;

    @Kept("made the next one by the stream of the client")
    private final Exchange exchange;

    @Kept("made the next one when it is used")
    private @Nullable ResponseHead announced;

    private @Nullable BodyEncoder encoder;
    /** Whether the gateway sent a 100 in the place of the node. */
    private boolean continued;

    private boolean told;

    private boolean bodiless;

    ResponseRelay(ClientStream client) {
        this.client = client;
        this.exchange = client.exchange();
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

    /** Returns the head to announce, which is the same object for each response. */
    ResponseHead head(int status, Fields fields) {
        ResponseHead head = announced;
        if (head == null) {
            head = new ResponseHead(status, fields);
            announced = head;
        } else {
            head.again(status, fields);
        }
        return head;
    }

    /** Begins the response. */
    void begin(ResponseHead head) {
        bodiless = ResponseHead.isBodiless(head.status(), exchange.request().method())
                || ResponseHead.isReset(head.status());
        encoder = exchange.get(Attributes.BODY_ENCODER);
        client.respond(head);
    }

    /** Returns whether the client takes a body. */
    boolean takesBody() {
        return !client.isEnded() && !bodiless;
    }

    /** Returns whether the client takes a body that is not looked at. */
    boolean takesPiped() {
        return encoder == null && takesBody() && !client.isSpooled() && client.takesPiped();
    }

    /** Writes a piece of the body, which is this method's to release. */
    void write(PipedBytes piece) {
        exchange.sent(piece.length());
        client.write(piece);
    }

    /** Writes a piece of the body, which is this method's to release. */
    void write(ByteBuf piece) {
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
        if (coded.isReadable()) {
            client.pass(coded);
        } else {
            coded.release();
        }
    }
}

package io.sigma.dataplane.engine.http2.node;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import io.sigma.dataplane.engine.body.HeldBytes;
import io.sigma.dataplane.engine.http2.DecodedHead;
import io.sigma.dataplane.engine.http2.RequestHeads;
import io.sigma.dataplane.engine.relay.NodeEvents;
import io.sigma.dataplane.engine.relay.NodeFailure;
import io.sigma.dataplane.engine.relay.ResponseRules;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request on a stream, and the response to it. A response that has come whole is passed on as fast as it is taken,
 * whatever happens to the stream and the connection meanwhile. Confined to the event loop.
 */
final class Http2NodeStream extends Http2NodeRequest {

    private final long client;
    private final boolean reused;

    /** Response bytes that arrived while the call did not read. */
    private @Nullable HeldBytes waiting;

    private @Nullable Fields trailers;
    /** Of the body that the head announced, in bytes; -1 when it says nothing. */
    private long announced = -1;

    private long received;
    private int interim;
    private boolean responding;
    /** True after a switch of protocols. The two directions of a tunnel end independently. */
    private boolean switched;
    /** True once the whole response has arrived. A part of it may still wait here. */
    private boolean complete;

    private boolean paused;
    private boolean passing;
    /** The error code with which the node reset the stream. -1 without a reset. */
    private long resetCode = -1;

    private @Nullable Throwable malformed;
    private boolean givenBack;

    Http2NodeStream(Http2NodeLink link, NodeEvents events) {
        super(link, events);
        this.client = link.client();
        this.reused = link.reused();
    }

    @Override
    public long held() {
        HeldBytes response = waiting;
        return requestHeld() + (response == null ? 0 : response.cost());
    }

    // --- Response

    /**
     * Takes a head or trailers.
     *
     * @throws Http2Exception when they are malformed
     */
    void onHead(DecodedHead head, boolean end) throws Http2Exception {
        if (isOver()) {
            return;
        }
        if (responding) {
            onTrailers(head, end);
            return;
        }
        int status = head.isOfResponse() ? ResponseRules.status(Objects.requireNonNull(head.statusText())) : -1;
        // HTTP/2 has no 101 (RFC 9113 §8.6).
        if (status < 0 || ResponseRules.isSwitching(status)) {
            throw malformed("a head without a status");
        }
        if (ResponseRules.isInterim(status)) {
            if (end || interim++ == ResponseRules.INTERIM_MAX) {
                throw malformed("an interim response that ends the stream, or too many of them");
            }
            events().onInterim(status, head.fields());
            return;
        }
        responding = true;
        switched = connects() && status < 300;
        // A head that switches protocols has no body (RFC 9110 §9.3.6).
        if (!switched && !ResponseHead.isBodiless(status, method())) {
            announced = RequestHeads.bodyBytes(head.fields());
        }
        complete = end;
        checkLength();
        events().onHead(status, head.fields(), true);
        if (end && !isOver()) {
            events().onEnd(null);
        }
    }

    private void onTrailers(DecodedHead head, boolean end) throws Http2Exception {
        if (!end || switched) {
            throw malformed("trailers that do not end the stream, or of a tunnel");
        }
        complete = true;
        checkLength();
        trailers = head.fields().size() == 0 ? null : head.fields();
        if (!isHeld()) {
            events().onEnd(trailers);
        }
    }

    /** Compares what has arrived with what was announced (RFC 9113 §8.1.1). */
    private void checkLength() throws Http2Exception {
        if (announced >= 0 && (received > announced || (complete && received < announced))) {
            complete = false;
            throw malformed("a body of another length than was announced");
        }
    }

    private Http2Exception malformed(String what) {
        return Http2Exception.streamError(opened().id(), Http2Error.PROTOCOL_ERROR, what);
    }

    @Override
    public int onData(ByteBuf data, boolean end) throws Http2Exception {
        int length = data.readableBytes();
        if (isOver()) {
            return length;
        }
        if (!responding) {
            throw malformed("a body without a head");
        }
        received += length;
        complete = end;
        checkLength();
        if (isHeld()) {
            hold(data);
            return 0;
        }
        if (length > 0) {
            events().onData(data.retain());
        }
        if (end && !isOver() && !isHeld()) {
            events().onEnd(null);
        }
        return length;
    }

    private boolean isHeld() {
        return paused || passing || (waiting != null && !waiting.isEmpty());
    }

    private void hold(ByteBuf data) {
        if (data.isReadable()) {
            waiting = HeldBytes.orNew(waiting);
            waiting.add(data.retain());
        }
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        if (paused) {
            paused = false;
            if (!passing && !isOver()) {
                pass();
            }
        }
    }

    private void pass() {
        int bytes = 0;
        passing = true;
        try {
            for (ByteBuf data = next(); data != null; data = next()) {
                bytes += data.readableBytes();
                events().onData(data);
            }
        } finally {
            // Else all that follows would be held for ever.
            passing = false;
        }
        if (bytes > 0 && !isOver()) {
            frames().consumed(opened(), bytes);
        }
        if (complete && !isOver() && !isHeld()) {
            events().onEnd(trailers);
        }
    }

    private @Nullable ByteBuf next() {
        return paused || isOver() || waiting == null ? null : waiting.poll();
    }

    // --- Ends

    /** The node resets the stream. */
    void onReset(long code) {
        resetCode = code;
    }

    /** The node sent an invalid response. */
    void onInvalid(Throwable cause) {
        malformed = cause;
    }

    @Override
    public void onStreamClosed() {
        dropRequest();
        if (isOver()) {
            giveBack();
        } else if (!complete || (switched && !isRequestEnded())) {
            fail(failure());
        } else {
            releaseWriter();
        }
    }

    private NodeFailure failure() {
        Throwable wrong = malformed;
        if (wrong != null) {
            return NodeFailure.invalid(wrong);
        }
        if (resetCode >= 0) {
            boolean refused = resetCode == Http2Error.REFUSED_STREAM.code();
            return new NodeFailure(true, true, refused, resetCode, new StreamReset(resetCode));
        }
        if (frames().isBeyondGoAway(opened())) {
            return NodeFailure.unsent(frames().cause());
        }
        return frames().isInvalid() ? NodeFailure.invalid(frames().cause()) : NodeFailure.broken(frames().cause());
    }

    @Override
    void fail(NodeFailure failure) {
        if (!isOver()) {
            dropResponse();
            events().onFailed(failure);
        }
    }

    private void dropResponse() {
        if (waiting != null) {
            waiting.clear();
        }
    }

    @Override
    public boolean handOver(NodeEvents next) {
        Http2Stream open = stream();
        // A node that has said nothing at all may not speak HTTP/2: nobody is to wait for a place on its connection.
        if (isOver()
                || open == null
                || !link().isSettled()
                || (open.state() == Http2Stream.State.CLOSED && !complete)) {
            return false;
        }
        events(next);
        return true;
    }

    @Override
    public void giveUp() {
        frames().cancel(opened());
    }

    @Override
    public TunnelEnd tunnelEnd() {
        return new Http2NodeEnd(this);
    }

    @Override
    public boolean becomeTunnel() {
        return false;
    }

    @Override
    public boolean isSilentOnceReleased() {
        return true;
    }

    @Override
    public boolean isReused() {
        return reused;
    }

    @Override
    public void release(boolean reusable) {
        if (isOver()) {
            return;
        }
        over();
        dropResponse();
        Http2Stream open = stream();
        if (open == null || open.state() == Http2Stream.State.CLOSED) {
            giveBack();
        } else if (!reusable || !complete || !isWritten()) {
            frames().cancel(open);
        }
        // Else the stream is closed when the frame that ended it has been handled.
    }

    private void giveBack() {
        if (!givenBack) {
            givenBack = true;
            link().ended(client);
        }
    }
}

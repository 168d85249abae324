package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.rule.Grpc;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.upstream.NodeEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * A request that nobody waits for any more while its node still works on it. A node need not notice that a connection
 * is closed or a stream is reset, so that each client that gives up would let another request in; the request keeps its
 * place in the pool instead until the node has answered or ended it. Over HTTP/2 this also spares the node the resets:
 * many nodes end a connection on which too many streams are reset. Confined to the event loop of the connection.
 */
final class Abandoned extends Deadlines.Entry implements NodeEvents {

    /** Of the response's body, beyond which closing the connection is cheaper than using it again. */
    private static final long BYTES_MAX = 64 * 1024;

    private static final long BODY_MILLIS = 1_000;
    /** The time that an abandoned node has to answer before the gateway ends its direction, in milliseconds. */
    private static final long ANSWER_MILLIS = 5_000;
    /** The time that the node has to close the connection after that, in milliseconds. */
    private static final long CLOSE_MILLIS = 25_000;

    private final NodeStream stream;
    private final NodeEndpoint node;
    private final Deadlines deadlines;
    private boolean responding;
    private boolean persistent;
    private boolean told;
    private long bytes;

    private Abandoned(
            NodeStream stream, NodeEndpoint node, Deadlines deadlines, boolean responding, boolean persistent) {
        this.stream = stream;
        this.node = node;
        this.deadlines = deadlines;
        this.responding = responding;
        this.persistent = persistent;
    }

    /**
     * Takes over {@code stream}, on which all of the request was sent.
     *
     * @param request decides whether the call is one of gRPC
     * @param responding whether the head of the response has been seen
     * @param persistent whether that keeps the connection
     * @return false when the stream is to be given up at once, or cannot be taken over
     */
    static boolean begin(
            NodeStream stream,
            Fields request,
            NodeEndpoint node,
            Deadlines deadlines,
            boolean responding,
            boolean persistent) {
        if (stream.isHttp2() && Grpc.isCall(request)) {
            // Servers of gRPC stop to work on a call that is cancelled, and its clients count on that.
            return false;
        }
        Abandoned taking = new Abandoned(stream, node, deadlines, responding, persistent);
        if (!stream.handOver(taking)) {
            return false;
        }
        node.abandoned(1);
        deadlines.set(taking, responding ? BODY_MILLIS : ANSWER_MILLIS);
        stream.resume();
        return true;
    }

    @Override
    public void onOpen(NodeStream opened) {
        throw new IllegalStateException("it is open already");
    }

    @Override
    public void onWritable() {
        // All of the request was given to the connection.
    }

    @Override
    public void onInterim(int status, Fields fields) {
        // Nobody waits for it.
    }

    @Override
    public void onHead(int status, Fields fields, boolean keepsConnection) {
        responding = true;
        persistent = keepsConnection && !told;
        deadlines.set(this, BODY_MILLIS);
        if (status < 200) {
            end(false);
        }
    }

    @Override
    public void onData(ByteBuf piece) {
        int length = piece.readableBytes();
        piece.release();
        count(length);
    }

    @Override
    public void onPiped(PipedBytes piece) {
        int length = piece.length();
        piece.release();
        count(length);
    }

    private void count(int length) {
        bytes += length;
        if (bytes > BYTES_MAX) {
            end(false);
        }
    }

    @Override
    public void onEnd(@Nullable Fields trailers) {
        end(persistent);
    }

    @Override
    public void onFailed(NodeFailure failure) {
        end(false);
    }

    @Override
    protected void onDeadline() {
        if (responding || told) {
            end(false);
        } else {
            told = true;
            deadlines.set(this, CLOSE_MILLIS);
            stream.giveUp();
        }
    }

    @Override
    protected void onDeadlineFailed() {
        end(false);
    }

    private void end(boolean reusable) {
        deadlines.remove(this);
        node.abandoned(-1);
        stream.release(reusable);
    }
}

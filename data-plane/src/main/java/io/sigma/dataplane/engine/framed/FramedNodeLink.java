package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.collection.IntObjectHashMap;
import io.sigma.dataplane.engine.http1.RawEnd;
import io.sigma.dataplane.engine.uring.PausedReads;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.PooledConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a node that carries requests of many clients. Each has an id of its own on it, by which the answer
 * finds its way back. Confined to the event loop.
 */
public final class FramedNodeLink extends PooledConnection {

    private static final Logger LOG = LoggerFactory.getLogger(FramedNodeLink.class);

    /** Longest frame of a node, in bytes: the largest that a proxy server may allow. */
    private static final int FRAME_BYTES_MAX = 64 * 1024 * 1024;

    private final FramedProtocol protocol;
    private final FramedLoop loop;
    private final Channel channel;
    private final RawEnd end;
    private final FrameReader reader;
    private final FrameHead head = new FrameHead();
    private final FramedMemory memory;
    private final int streamsMax;
    private final IntObjectHashMap<FramedCall> calls = new IntObjectHashMap<>();
    /** Whose requests were sent that are not answered, and have not given their places back. */
    private final ArrayDeque<Long> sent = new ArrayDeque<>(0);

    private boolean releasing;
    /** Bytes of the node's frames that were complete. */
    private long taken;

    private int lastId;
    private boolean writable = true;
    private boolean closing;
    private boolean ended;

    private FramedNodeLink(FramedProtocol protocol, FramedLoop loop, ChannelHandlerContext context, int streamsMax) {
        this.protocol = protocol;
        this.loop = loop;
        this.channel = context.channel();
        this.end = RawEnd.of(context, loop.http1());
        this.reader = new FrameReader(protocol, channel.alloc());
        this.streamsMax = protocol.streamsMax(streamsMax);
        this.memory = new FramedMemory(
                () -> ended ? 0 : reader.held() + end.held(), () -> end.taken() + taken, () -> null, channel::close);
    }

    /**
     * Returns a connection over which {@code version} is spoken.
     *
     * @param streamsMax how many requests it carries at a time at most
     */
    public static FramedNodeLink install(
            Channel channel, NodeEndpoint.Version version, FramedLoop loop, int streamsMax) {
        Handler handler = new Handler();
        channel.pipeline().addLast(handler);
        FramedNodeLink link = new FramedNodeLink(
                FramedProtocols.of(version), loop, channel.pipeline().context(handler), streamsMax);
        handler.link = link;
        return link;
    }

    /** Sends {@code frame}, which it releases, on behalf of {@code call}. */
    void send(FramedCall call, ByteBuf frame) {
        long client = call.client();
        if (!isOpen()) {
            frame.release();
            release(false, client);
            call.broken();
            return;
        }
        int id = nextId();
        int length = frame.readableBytes();
        boolean answered = !call.isOneWay();
        if (answered) {
            calls.put(id, call);
            call.sentAs(this, id);
        }
        FrameWriter.write(end, protocol.withId(frame, id, channel.alloc()));
        if (!end.isWritable()) {
            loop.loop().memory().grew(memory, length);
        }
        if (!answered) {
            releaseSent(client);
        }
    }

    /**
     * Gives back the place of a request that is not answered. The next one that waits may be sent meanwhile, and gives
     * its place back after this one: else thousands of them would be sent within each other.
     */
    private void releaseSent(long client) {
        if (releasing) {
            sent.add(client);
            return;
        }
        releasing = true;
        try {
            release(true, client);
            for (Long next = sent.poll(); next != null; next = sent.poll()) {
                release(true, next);
            }
        } finally {
            releasing = false;
        }
    }

    private int nextId() {
        do {
            lastId = lastId == Integer.MAX_VALUE ? 1 : lastId + 1;
        } while (calls.containsKey(lastId));
        return lastId;
    }

    /** Nobody waits for the answer to {@code id} any more. */
    void forget(int id, long client) {
        if (calls.remove(id) != null) {
            release(true, client);
        }
    }

    private void read(ByteBuf data) {
        if (ended) {
            data.release();
            return;
        }
        try {
            reader.add(data, FRAME_BYTES_MAX);
            for (ByteBuf frame = reader.next(); frame != null; frame = reader.next()) {
                take(frame);
            }
            long grown = reader.grown();
            if (grown > 0) {
                loop.loop().memory().grew(memory, grown);
            }
        } catch (BadFrame e) {
            loop.nodeLines()
                    .write(leftOut -> LOG.warn(
                            "The node {} sent {}; its connection is closed{}",
                            channel.remoteAddress(),
                            e.getMessage(),
                            leftOut));
            channel.close();
        }
    }

    private void take(ByteBuf frame) throws BadFrame {
        taken += frame.readableBytes();
        head.clear();
        try {
            protocol.read(frame, head);
        } catch (BadFrame e) {
            frame.release();
            throw e;
        }
        switch (head.kind) {
            case RESPONSE -> answer(frame);
            case HEARTBEAT -> reply(protocol.heartbeatAnswer(head, channel.alloc()));
            // Clients are not asked anything: a node cannot know which one it would ask.
            case REQUEST -> reply(protocol.error(head.form, head.id, "", ErrorKind.NO_ROUTE, channel.alloc()));
            case LEAVING -> drain();
            default -> {
                // Nobody waits for it.
            }
        }
        if (head.kind != FrameHead.Kind.RESPONSE) {
            frame.release();
        }
    }

    /** Answers the node, unless it asks and does not read. */
    private void reply(ByteBuf frame) {
        if (end.isWritable()) {
            end.write(frame);
        } else {
            frame.release();
        }
    }

    private void answer(ByteBuf frame) {
        FramedCall call = head.id >>> Integer.SIZE == 0 ? calls.remove((int) head.id) : null;
        if (call == null) {
            // It comes too late.
            frame.release();
            return;
        }
        // First, so that the client's next request may have the place.
        release(true, call.client());
        call.answered(frame, head);
    }

    private void writabilityChanged() {
        if (writable != channel.isWritable()) {
            writable = channel.isWritable();
            streamsChanged();
        }
    }

    private void gone() {
        if (ended) {
            return;
        }
        ended = true;
        end.gone();
        reader.release();
        closed();
        List<FramedCall> waiting = new ArrayList<>(calls.values());
        calls.clear();
        for (FramedCall call : waiting) {
            release(false, call.client());
            call.broken();
        }
    }

    /** Returns none while the node does not read what was sent: requests wait, or go over another connection. */
    @Override
    protected int streamsMax() {
        return writable ? streamsMax : 0;
    }

    @Override
    protected boolean isOpen() {
        return !closing && !ended && channel.isActive();
    }

    @Override
    protected void close() {
        if (!closing && !ended) {
            closing = true;
            end.close(() -> {});
        }
    }

    /** The last handler of the pipeline. */
    private static final class Handler extends ChannelInboundHandlerAdapter {

        @SuppressWarnings("NullAway.Init") // Set before anything arrives.
        private FramedNodeLink link;

        @Override
        public void channelRead(ChannelHandlerContext reading, Object message) {
            if (message instanceof ByteBuf data) {
                link.read(data);
            } else {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext changed) {
            link.writabilityChanged();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
            if (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent) {
                triggered.close();
            } else if (!PausedReads.heard(triggered.channel(), event)) {
                triggered.fireUserEventTriggered(event);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
            failed.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext gone) {
            link.gone();
        }
    }
}

package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.accept.AcceptedConnection;
import io.sigma.dataplane.engine.accept.ClientFailure;
import io.sigma.dataplane.engine.accept.ListenerProtocol;
import io.sigma.dataplane.engine.http1.RawEnd;
import io.sigma.dataplane.engine.uring.LateTimer;
import io.sigma.dataplane.engine.uring.PausedReads;
import io.sigma.dataplane.exchange.ClientKey;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.upstream.proxied.ClientPools;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a client that sends requests in frames, as the last handler of its pipeline. It is read while it
 * has room for requests and the client reads its answers. Confined to the event loop.
 */
final class FramedConnection extends ChannelInboundHandlerAdapter
        implements ListenerProtocol.Speaker, ClientPools.Owner {

    private static final Logger LOG = LoggerFactory.getLogger(FramedConnection.class);

    private final ServerBinding binding;
    private final FramedProtocol protocol;
    private final FramedLoop loop;
    private final AcceptedConnection accepted;
    private final FramedMemory memory;
    private final FrameReader reader;
    private final FrameHead head = new FrameHead();
    private final long key;
    private final ShownConnection shown;
    private final IdleTime idle = new IdleTime();
    private final FrameRate rate;
    private Runnable hide = () -> {};
    private @Nullable ChannelHandlerContext context;
    private @Nullable RawEnd end;
    private @Nullable ClientPools pools;
    private final CallList calls = new CallList();
    /** Memory of the requests that wait for a node, in bytes. */
    private long waiting;

    private boolean reading;
    private boolean inputEnded;
    private boolean draining;
    private boolean closing;
    private boolean over;

    FramedConnection(ServerBinding binding, FramedProtocol protocol, FramedLoop loop, AcceptedConnection accepted) {
        this.binding = binding;
        this.protocol = protocol;
        this.loop = loop;
        this.accepted = accepted;
        this.reader = new FrameReader(protocol, accepted.channel().alloc());
        this.memory = new FramedMemory(this::held, this::taken, this::owner, this::endNow);
        this.shown = new ShownConnection(accepted, this::close);
        this.rate = new FrameRate(loop.loop().connectionDeadlines(), this::close);
        InetSocketAddress address = accepted.remoteAddress();
        this.key = address == null ? ClientKey.NOBODY : ClientKey.of(address.getAddress());
    }

    /** A time without a byte, or without the client reading, ends the connection. */
    private final class IdleTime extends Deadlines.Entry {

        @Override
        protected void onDeadline() {
            if (calls.size() > 0 && end().isWritable()) {
                // A request has a time of its own.
                touch();
            } else {
                close();
            }
        }

        @Override
        protected void onDeadlineFailed() {
            close();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        end = RawEnd.of(added, loop.http1());
        hide = binding.show(shown);
        touch();
    }

    FramedLoop framed() {
        return loop;
    }

    FramedProtocol protocol() {
        return protocol;
    }

    ByteBufAllocator buffers() {
        return channel().alloc();
    }

    /** Returns whom its requests count for. */
    long key() {
        return key;
    }

    private RawEnd end() {
        return Objects.requireNonNull(end);
    }

    private Channel channel() {
        return Objects.requireNonNull(context).channel();
    }

    @Nullable
    InetSocketAddress remoteAddress() {
        return accepted.remoteAddress();
    }

    @Nullable
    InetSocketAddress peerAddress() {
        return shown.peerAddress();
    }

    /** Returns a header pair of the request that was read last; null for none. */
    @Nullable
    String header(ByteBuf frame, String name) {
        return protocol.header(frame, head, name);
    }

    @Override
    public ClientPools ownPools() {
        ClientPools made = pools;
        if (made == null) {
            made = new ClientPools(accepted.proxied(), loop.loop().index());
            pools = made;
        }
        return made;
    }

    private void touch() {
        if (end().isWritable()) {
            loop.loop().connectionDeadlines().set(idle, binding.limits().idleTimeoutMillis());
        }
    }

    // --- Requests

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        if (!(message instanceof ByteBuf data)) {
            ReferenceCountUtil.release(message);
        } else if (over) {
            data.release();
        } else {
            rate.received(data.readableBytes());
            reader.add(data, binding.limits().frameBytesMax());
            touch();
            readFrames();
            long grown = reader.grown();
            if (grown > 0) {
                loop.loop().memory().grew(memory, grown);
            }
        }
    }

    private void readFrames() {
        if (reading || over) {
            return;
        }
        reading = true;
        try {
            ByteBuf frame = hasRoom() ? reader.next() : null;
            while (frame != null) {
                take(frame);
                frame = hasRoom() ? reader.next() : null;
            }
        } catch (BadFrame e) {
            invalid(e);
        } finally {
            reading = false;
        }
        if (over) {
            reader.release();
        } else {
            end().read(!inputEnded && hasRoom());
            rate.watch(hasRoom() && reader.isWithinFrame(), binding.limits());
            closeIfDone();
        }
    }

    private boolean hasRoom() {
        return !closing && !over && calls.size() < binding.limits().callsMax() && end().isWritable();
    }

    private void take(ByteBuf frame) throws BadFrame {
        shown.read(frame.readableBytes());
        head.clear();
        try {
            protocol.read(frame, head);
        } catch (BadFrame e) {
            frame.release();
            throw e;
        }
        switch (head.kind) {
            case REQUEST, ONE_WAY -> begin(frame);
            case HEARTBEAT -> {
                ByteBuf answer = protocol.heartbeatAnswer(head, buffers());
                frame.release();
                write(answer);
            }
            case HEARTBEAT_ANSWER, LEAVING -> frame.release();
            case RESPONSE -> {
                frame.release();
                throw new BadFrame("an answer without a request");
            }
        }
    }

    private void begin(ByteBuf frame) {
        FramedCall call = new FramedCall(this, head, frame);
        calls.add(call);
        call.begin(binding.open(call));
    }

    private void invalid(BadFrame why) {
        if (loop.maySay()) {
            LOG.info("The connection of {} is closed: it sent {}; others may follow", peerAddress(), why.getMessage());
        }
        head.clear();
        FramedCall nothing = new FramedCall(this, head, Unpooled.EMPTY_BUFFER);
        binding.open(nothing).onInvalid(why.isTooLong() ? ErrorKind.BODY_TOO_LARGE : ErrorKind.BAD_REQUEST);
        close();
    }

    /** Returns whether nothing more is taken from this client. */
    boolean isRefused() {
        return loop.loop().memory().refuses(memory);
    }

    /** Notes that requests hold more, or less, while they wait for a node. */
    void waits(long bytes) {
        waiting += bytes;
        if (bytes > 0) {
            loop.loop().memory().grew(memory, bytes);
        }
    }

    /** Sends an answer, which it releases. */
    void write(ByteBuf frame) {
        if (over) {
            frame.release();
            return;
        }
        int length = frame.readableBytes();
        shown.written(length);
        FrameWriter.write(end(), frame);
        if (end().isWritable()) {
            touch();
        } else {
            loop.loop().memory().grew(memory, length);
        }
    }

    /** A request is over. */
    void ended(FramedCall call) {
        boolean listed = calls.remove(call);
        if (listed
                && !closing
                && !over
                && !reading
                && (calls.size() == 0 || !channel().config().isAutoRead())) {
            readFrames();
        }
    }

    // --- The end

    private void closeIfDone() {
        // Without room, requests may have arrived that were not read yet.
        if (calls.size() == 0 && hasRoom() && (draining || inputEnded)) {
            close();
        }
    }

    /** Ends it behind what was written. Requests in progress are answered with an error of their protocol. */
    private void close() {
        if (!over) {
            closing = true;
            for (FramedCall call = calls.first(); call != null; call = calls.first()) {
                call.ended();
            }
            leave();
            end().close(() -> {});
        }
    }

    /** Ends it at once. */
    private void endNow() {
        channel().unsafe().close(channel().voidPromise());
        calls.abandon(false);
    }

    private void leave() {
        over = true;
        hide.run();
        rate.stop();
        loop.loop().connectionDeadlines().remove(idle);
        if (!reading) {
            reader.release();
        }
        calls.abandon(inputEnded);
        ClientPools own = pools;
        if (own != null) {
            own.end();
        }
    }

    private long held() {
        return (over ? 0 : reader.held()) + waiting + end().held();
    }

    private long taken() {
        return end().taken() + shown.bytesIn() - waiting;
    }

    private @Nullable Object owner() {
        InetSocketAddress address = peerAddress();
        return address == null ? null : binding.ownerOf(address.getAddress());
    }

    @Override
    public void drain(long millis) {
        draining = true;
        LateTimer.start(channel().eventLoop(), millis, this::close);
        readFrames();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (!over && changed.channel().isWritable()) {
            touch();
            readFrames();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
        if (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent) {
            inputEnded = true;
            readFrames();
        } else if (!PausedReads.heard(triggered.channel(), event)) {
            triggered.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        ClientFailure.log(LOG, cause);
        failed.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext gone) {
        end().gone();
        if (!over) {
            leave();
        }
    }
}

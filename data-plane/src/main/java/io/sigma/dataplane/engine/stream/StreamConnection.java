package io.sigma.dataplane.engine.stream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.engine.StreamClient;
import io.sigma.dataplane.engine.StreamEvents;
import io.sigma.dataplane.engine.accept.AcceptedConnection;
import io.sigma.dataplane.engine.accept.ClientFailure;
import io.sigma.dataplane.engine.accept.DecryptedNames;
import io.sigma.dataplane.engine.accept.ListenerProtocol;
import io.sigma.dataplane.engine.http1.RawEnd;
import io.sigma.dataplane.engine.tls.ClientHello;
import io.sigma.dataplane.engine.tunnel.Tunnel;
import io.sigma.dataplane.engine.tunnel.TunnelRest;
import io.sigma.dataplane.engine.uring.LateTimer;
import io.sigma.dataplane.engine.uring.PausedReads;
import io.sigma.dataplane.exchange.StreamEnd;
import io.sigma.dataplane.upstream.NodeEndpoint;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a client, as the last handler of its pipeline. It looks at the first message of TLS if that decides
 * where the connection goes, waits for a node, and then a {@link Tunnel} passes bytes in both directions. What arrives
 * before that is held, and the socket is not read meanwhile. Confined to the event loop.
 */
final class StreamConnection extends ChannelInboundHandlerAdapter implements ListenerProtocol.Speaker, StreamClient {

    private static final Logger LOG = LoggerFactory.getLogger(StreamConnection.class);

    private final StreamProtocol protocol;
    private final StreamLoop loop;
    private final AcceptedConnection accepted;
    private final long startNanos;
    private final StreamMemory memory;
    private final EarlyBytes early;
    private final PassedBytes passed = new PassedBytes();
    private final EndReason reason = new EndReason();
    private @Nullable ChannelHandlerContext context;
    private @Nullable RawEnd end;
    private @Nullable LateTimer helloTimer;
    private @Nullable StreamEvents events;
    private @Nullable NodeAttempt attempt;
    private @Nullable NodeSide node;
    private @Nullable Tunnel tunnel;
    private boolean inputEnded;
    private boolean over;

    StreamConnection(StreamProtocol protocol, StreamLoop loop, AcceptedConnection accepted, EarlyBytes early) {
        this.early = early;
        this.protocol = protocol;
        this.loop = loop;
        this.accepted = accepted;
        this.memory = new StreamMemory(this, protocol.binding());
        this.startNanos = loop.loop().nanos();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        end = RawEnd.of(added, loop.http1());
        loop.opened(this);
        if (early.hello() == null && protocol.peeks()) {
            int millis = protocol.binding().limits().headTimeoutMillis();
            helloTimer = LateTimer.start(added.executor(), millis, () -> close(StreamEnd.HELLO_TIMEOUT));
        } else {
            ready();
        }
    }

    private void ready() {
        end().read(false);
        events = protocol.binding().open(this);
        events.begin();
    }

    /** Returns whether the first message of TLS ends with {@code data}. */
    private boolean endsHello(ByteBuf data) {
        try {
            return early.endsHello(data);
        } catch (ClientHello.Invalid e) {
            LOG.debug("{} does not begin TLS: {}", peerAddress(), e.getMessage());
            close(StreamEnd.BAD_HELLO);
            return false;
        }
    }

    private void stopHelloTimer() {
        if (helloTimer != null) {
            helloTimer.cancel();
        }
    }

    private RawEnd end() {
        return Objects.requireNonNull(end);
    }

    private Channel channel() {
        return Objects.requireNonNull(context).channel();
    }

    @Override
    public int loop() {
        return loop.loop().index();
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return accepted.remoteAddress();
    }

    @Override
    public @Nullable InetSocketAddress peerAddress() {
        return channel().remoteAddress() instanceof InetSocketAddress known ? known : null;
    }

    @Override
    public @Nullable String serverName() {
        ClientHello said = early.hello();
        return said == null ? DecryptedNames.of(accepted.session()) : said.serverName();
    }

    @Override
    public List<String> protocols() {
        ClientHello said = early.hello();
        return said == null ? List.of() : said.protocols();
    }

    @Override
    public long startNanos() {
        return startNanos;
    }

    @Override
    public long bytesIn() {
        return passed.in();
    }

    @Override
    public long bytesOut() {
        return passed.out();
    }

    @Override
    public void connect(NodeEndpoint endpoint, boolean encrypts, int connectMillis) {
        NodeAttempt begun = new NodeAttempt(this, endpoint, accepted.passed(serverName()));
        attempt = begun;
        begun.begin(protocol.dialer(), encrypts, connectMillis);
    }

    StreamEvents events() {
        return Objects.requireNonNull(events);
    }

    StreamLoop streamLoop() {
        return loop;
    }

    /** Returns whether a node is still waited for by {@code asking}. */
    @SuppressWarnings("ReferenceEquality") // An attempt is its object.
    boolean waitsFor(NodeAttempt asking) {
        return attempt == asking && !over;
    }

    /** A connection to the node is open. */
    void connected(Channel to) {
        attempt = null;
        NodeSide side = new NodeSide(this, loop.http1());
        node = side;
        to.pipeline().addLast(side);
        events().onConnected();
    }

    @Override
    public void pass(int openMillis, int stalledMillis) {
        Tunnel joined = new Tunnel(
                end(),
                Objects.requireNonNull(node).end(),
                passed,
                loop.loop().connectionDeadlines(),
                new TunnelRest(openMillis, stalledMillis),
                this::finish);
        tunnel = joined;
        for (ByteBuf piece = early.poll(); piece != null; piece = early.poll()) {
            joined.fromClient(piece);
        }
        if (inputEnded) {
            joined.clientEnded();
            if (!channel().isOpen()) {
                joined.clientGone();
            }
        } else if (node.end().isWritable()) {
            end().read(true);
        }
    }

    @Override
    public void close(StreamEnd why) {
        if (over || !reason.say(why)) {
            return;
        }
        Tunnel joined = tunnel;
        if (joined != null) {
            joined.close();
        } else if (why == StreamEnd.NO_ROUTER && early.hello() != null) {
            end().write(ClientHello.unrecognizedName());
            end().close(this::finish);
        } else {
            channel().close();
            finish();
        }
    }

    @Nullable
    Tunnel tunnel() {
        return tunnel;
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (!(message instanceof ByteBuf data)) {
            ReferenceCountUtil.release(message);
            return;
        }
        Tunnel joined = tunnel;
        if (joined != null) {
            int length = data.readableBytes();
            joined.fromClient(data);
            if (!Objects.requireNonNull(node).end().isWritable()) {
                grew(length);
            }
        } else if (over || reason.isSaid()) {
            data.release();
        } else {
            hold(data);
        }
    }

    private void hold(ByteBuf data) {
        boolean known = events == null && endsHello(data);
        if (reason.isSaid()) {
            data.release();
            return;
        }
        long before = early.cost();
        early.add(data);
        grew(early.cost() - before);
        if (known && !reason.isSaid()) {
            stopHelloTimer();
            ready();
        }
    }

    /** Returns how much is held for client and node, in bytes. */
    long held() {
        return over
                ? 0
                : early.cost() + end().held() + (node == null ? 0 : node.end().held());
    }

    /** Ends both sides at once. */
    void endNow(StreamEnd why) {
        reason.say(why);
        channel().unsafe().close(channel().voidPromise());
        if (node != null) {
            node.channel().unsafe().close(node.channel().voidPromise());
        }
    }

    void fromNode(ByteBuf data) {
        Tunnel joined = tunnel;
        if (joined == null) {
            data.release();
            return;
        }
        int length = data.readableBytes();
        joined.fromNode(data);
        if (!end().isWritable()) {
            grew(length);
        }
    }

    private void grew(long bytes) {
        loop.loop().memory().grew(memory, bytes);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (tunnel != null && changed.channel().isWritable()) {
            tunnel.clientWritable();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
        if (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent) {
            onInputEnded();
        } else if (!PausedReads.heard(triggered.channel(), event)) {
            triggered.fireUserEventTriggered(event);
        }
    }

    private void onInputEnded() {
        if (inputEnded) {
            return;
        }
        inputEnded = true;
        if (tunnel != null) {
            tunnel.clientEnded();
        } else if (events == null) {
            close(StreamEnd.BAD_HELLO);
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
        Tunnel joined = tunnel;
        if (joined == null) {
            if (!isToBePassed(gone.channel())) {
                reason.sayGone(StreamEnd.CLIENT_RESET, loop.loop().nanos());
                finish();
            }
        } else {
            sideGone(joined, joined.clientGone(), gone.channel(), StreamEnd.CLIENT_RESET);
        }
    }

    /** Returns whether a node is waited for that is to get what the client had sent by its end. */
    private boolean isToBePassed(Channel gone) {
        return inputEnded && EndReason.mayEndAtOnce(gone) && events != null && !reason.isSaid();
    }

    /** The connection to the node is gone. */
    void nodeGone() {
        Tunnel joined = tunnel;
        if (joined != null) {
            sideGone(joined, joined.nodeGone(), Objects.requireNonNull(node).channel(), StreamEnd.NODE_RESET);
        }
    }

    /** @param complete whether all that it had to send has come */
    @SuppressWarnings("ReferenceEquality") // A connection is its object.
    private void sideGone(Tunnel joined, boolean complete, Channel gone, StreamEnd why) {
        if (joined.isClosed() || (complete && EndReason.mayEndAtOnce(gone))) {
            return;
        }
        reason.sayGone(why, loop.loop().nanos());
        if (!complete) {
            reason.resetAtClose(gone == channel() ? Objects.requireNonNull(node).end() : end());
            joined.close();
        }
    }

    @Override
    public void drain(long millis) {
        reason.drainAt(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
        LateTimer.start(channel().eventLoop(), millis, () -> close(StreamEnd.DRAINED));
    }

    void tick() {
        if (events != null && !over) {
            events.onTick();
        }
    }

    private void finish() {
        if (over) {
            return;
        }
        over = true;
        stopHelloTimer();
        loop.closed(this);
        early.release();
        boolean timedOut = tunnel != null && tunnel.isTimedOut();
        if (events == null) {
            // Nothing was matched: whoever counts connections is to hear of it all the same.
            events = protocol.binding().open(this);
        }
        events.onEnd(reason.orElse(timedOut ? StreamEnd.IDLE_TIMEOUT : StreamEnd.COMPLETE));
    }
}

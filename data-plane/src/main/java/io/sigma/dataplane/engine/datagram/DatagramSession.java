package io.sigma.dataplane.engine.datagram;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.StreamClient;
import io.sigma.dataplane.engine.StreamEvents;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.StreamEnd;
import io.sigma.dataplane.loop.HeldMemory;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.ServerUdp;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The datagrams of one client address and port, and their way to a node and back. The session has its own socket to the
 * node, which takes datagrams of that node alone. They go to the client of the session alone. Confined to the event
 * loop.
 */
final class DatagramSession extends HeldMemory.Holder implements StreamClient, Port.Taker {

    /** The time for which sent datagrams are kept for another node. A host without a listener refuses at once. */
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A session of one datagram may be displaced when nothing passed for so long. */
    private static final long DISPLACED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A session without its kept datagrams: its objects, and those of its socket to the node. */
    static final int SESSION_BYTES = 3 * 1024;

    private final SocketListener listener;
    private final Loop loop;
    private final ClientAddress key;
    private final InetSocketAddress address;
    private final long owner;
    private final ServerUdp udp;
    private final long startNanos;
    private final HeldDatagrams kept = new HeldDatagrams();
    private final SessionTimes times;
    private @Nullable StreamEvents events;
    private @Nullable NodeSocket attempt;
    private @Nullable NodeSocket node;
    private long keptUntilNanos;
    private long passedNanos;
    private boolean proven;
    private boolean over;
    private long bytesIn;
    private long bytesOut;
    private long datagramsIn;
    private long datagramsOut;

    DatagramSession(SocketListener listener, Newcomer client) {
        this.listener = listener;
        this.loop = listener.port().loop().loop();
        this.key = client.client();
        this.address = client.from();
        this.owner = client.owner();
        this.udp = listener.udp();
        this.startNanos = loop.nanos();
        this.times = new SessionTimes(this, loop, udp);
    }

    SocketListener listener() {
        return listener;
    }

    StreamEvents events() {
        return Objects.requireNonNull(events);
    }

    // --- From the client

    /** Begins with the first datagram. */
    void begin(ByteBuf first) {
        passed();
        loop.memory().grew(this, SESSION_BYTES);
        StreamEvents opened = listener.binding().open(this);
        events = opened;
        count(first);
        keep(first);
        first.release();
        if (!over) {
            opened.begin();
        }
    }

    void fromClient(ByteBuf data) {
        if (over) {
            data.release();
            return;
        }
        passed();
        NodeSocket to = node;
        boolean answered = datagramsOut > 0;
        boolean waits = !answered && keep(data);
        if (to == null && !waits) {
            data.release();
            drop(StreamEnd.Drop.WAITING_FULL);
            return;
        }
        count(data);
        if (to == null) {
            data.release();
        } else {
            toNode(data);
        }
    }

    private void passed() {
        passedNanos = loop.nanos();
        times.passed();
    }

    /**
     * Returns whether the datagram that passed last proves that the client is where its datagrams say: its second one,
     * or a response after the first. To be asked after each.
     */
    boolean isProvenNow() {
        boolean first = !proven && (datagramsIn > 1 || datagramsOut > 1);
        proven |= first;
        return first;
    }

    /**
     * Ends it for another one, unless its response may still come.
     *
     * @return whether it is over
     */
    boolean tryDisplace() {
        if (loop.nanos() - passedNanos >= DISPLACED_NANOS) {
            close(StreamEnd.IDLE_TIMEOUT);
        }
        return over;
    }

    private void count(ByteBuf data) {
        datagramsIn++;
        bytesIn += data.readableBytes();
    }

    private boolean keep(ByteBuf data) {
        boolean fits = kept.add(data);
        if (fits) {
            loop.memory().grew(this, data.readableBytes());
        }
        return fits && !over;
    }

    private void toNode(ByteBuf data) {
        NodeSocket to = node;
        if (to == null || over) {
            data.release();
        } else if (to.port().send(data, null)) {
            listener.binding().passed(loop.index(), true);
            times.asked();
        } else {
            drop(StreamEnd.Drop.NODE_BUSY);
        }
    }

    private void drop(StreamEnd.Drop reason) {
        listener.binding().dropped(loop.index(), reason);
    }

    // --- The node

    @Override
    public void connect(NodeEndpoint to, boolean encrypts, int connectMillis) {
        NodeSocket made = new NodeSocket(this, to, owner);
        attempt = made;
        made.begin(listener.port().loop(), listener.dialer(), connectMillis);
    }

    boolean waitsFor(NodeSocket one) {
        return !over && one.equals(attempt);
    }

    void connected(NodeSocket to) {
        attempt = null;
        node = to;
        keptUntilNanos = loop.nanos() + KEPT_NANOS;
        events().onConnected();
    }

    @Override
    public void pass(int openMillis, int stalledMillis) {
        kept.forEach(this::toNode);
    }

    void unconnected(GatewayError error) {
        attempt = null;
        events().onUnconnected(error);
    }

    @Override
    public void received(ByteBuf data, InetSocketAddress from) {
        if (over || data.readableBytes() > udp.datagramBytesMax() || !data.isReadable()) {
            if (!over) {
                drop(data.isReadable() ? StreamEnd.Drop.TOO_LARGE : StreamEnd.Drop.EMPTY);
            }
            data.release();
            return;
        }
        passed();
        datagramsOut++;
        listener.port().passed(this);
        int length = data.readableBytes();
        kept.release();
        if (listener.port().send(data, address)) {
            bytesOut += length;
            listener.binding().passed(loop.index(), false);
        } else {
            drop(StreamEnd.Drop.CLIENT_BUSY);
        }
        Integer most = udp.responsesMax();
        boolean complete = most != null && datagramsOut >= datagramsIn * most;
        if (complete) {
            close(StreamEnd.COMPLETE);
        } else {
            times.answered(most != null);
        }
    }

    /** Sends refused datagrams to another node, as long as no other datagram is lost. */
    @Override
    public void failed(Throwable cause) {
        NodeSocket from = node;
        if (over || from == null) {
            return;
        }
        if (!kept.isComplete()) {
            close(StreamEnd.NODE_UNREACHABLE);
            return;
        }
        node = null;
        from.close();
        times.answered(false);
        events().onRefused(GatewayError.unsent(ErrorKind.CONNECT_FAILED, cause));
    }

    // --- The end

    void tick() {
        if (over) {
            return;
        }
        if (node != null && loop.nanos() - keptUntilNanos >= 0) {
            kept.release();
        }
        events().onTick();
    }

    /** Ends once nothing passes any more. */
    void drain() {
        if (!over) {
            times.drain();
        }
    }

    @Override
    public void close(StreamEnd reason) {
        if (over) {
            return;
        }
        over = true;
        times.end();
        kept.release();
        if (node != null) {
            node.close();
        }
        if (attempt != null) {
            attempt.close();
        }
        listener.ended(key, owner);
        events().onEnd(reason);
    }

    // --- Memory

    @Override
    protected long held() {
        return over ? 0 : SESSION_BYTES + kept.cost();
    }

    @Override
    protected long taken() {
        return bytesIn + bytesOut - kept.cost();
    }

    @Override
    protected @Nullable Object owner() {
        return listener.binding().ownerOf(address.getAddress());
    }

    @Override
    protected void end() {
        close(StreamEnd.HOLDS_TOO_MUCH);
    }

    // --- What the control flow asks

    @Override
    public int loop() {
        return loop.index();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return address;
    }

    @Override
    public InetSocketAddress peerAddress() {
        return address;
    }

    @Override
    public @Nullable String serverName() {
        return null;
    }

    @Override
    public List<String> protocols() {
        return List.of();
    }

    @Override
    public long startNanos() {
        return startNanos;
    }

    @Override
    public long bytesIn() {
        return bytesIn;
    }

    @Override
    public long bytesOut() {
        return bytesOut;
    }

    @Override
    public long datagramsIn() {
        return datagramsIn;
    }

    @Override
    public long datagramsOut() {
        return datagramsOut;
    }
}

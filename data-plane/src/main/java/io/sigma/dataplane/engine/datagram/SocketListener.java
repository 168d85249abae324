package io.sigma.dataplane.engine.datagram;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.ListenerBinding;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.node.NodeDialer;
import io.sigma.dataplane.exchange.StreamEnd;
import io.sigma.model.ServerUdp;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A listener on one socket: it begins sessions, and knows how many run. Confined to the event loop of the socket. */
final class SocketListener implements PlaceSearch.Socket {

    /** The settings of a proxy server without {@code udp}. */
    private static final ServerUdp STANDARD = ServerUdp.builder().build();

    /**
     * The time for which a closing listener still reads datagrams that the kernel has given to this process, in
     * milliseconds.
     */
    private static final long READ_MILLIS = 500;

    private final ServerBinding binding;
    private final ListenerBinding budget;
    private final NodeDialer dialer;
    private final ClientPort port;
    private final PlaceSearch search = new PlaceSearch(this);
    private int sessions;
    private @Nullable Promise<Void> closing;

    /**
     * @param budget counts sessions: each has a descriptor
     */
    SocketListener(ServerBinding binding, ListenerBinding budget, NodeDialer dialer, ClientPort port) {
        this.binding = binding;
        this.budget = budget;
        this.dialer = dialer;
        this.port = port;
    }

    ServerBinding binding() {
        return binding;
    }

    NodeDialer dialer() {
        return dialer;
    }

    ClientPort port() {
        return port;
    }

    /** Returns how sessions that begin now behave. */
    ServerUdp udp() {
        ServerUdp udp = binding.source().udp();
        return udp == null ? STANDARD : udp;
    }

    /** Returns why {@code data} cannot be passed on; null when it can. */
    StreamEnd.@Nullable Drop unfit(ByteBuf data) {
        int length = data.readableBytes();
        if (length == 0) {
            return StreamEnd.Drop.EMPTY;
        }
        return length > udp().datagramBytesMax() ? StreamEnd.Drop.TOO_LARGE : null;
    }

    /** Returns whom a session of {@code from} counts for. From any thread. */
    long ownerOf(InetSocketAddress from) {
        return budget.clientOf(from.getAddress());
    }

    @Override
    public void later(Runnable task) {
        port.loop().later(task);
    }

    @Override
    public boolean tryDisplace() {
        return port.tryDisplace(this);
    }

    @Override
    public void searched(Newcomer newcomer, ByteBuf first, boolean taken) {
        port.searched(this, newcomer, first, taken);
    }

    @Override
    public boolean tryTake(Newcomer newcomer) {
        return budget.connected(newcomer.owner());
    }

    /** Gives back a place that was taken for a session that does not begin. */
    void giveBack(Newcomer newcomer) {
        budget.disconnected(newcomer.owner());
    }

    /** Returns a new session, whose place was taken. */
    DatagramSession begin(Newcomer newcomer) {
        sessions++;
        return new DatagramSession(this, newcomer);
    }

    PlaceSearch search() {
        return search;
    }

    /** Returns whether nobody gets a session for now: there are as many as there may be. */
    boolean isFull() {
        return budget.isFull();
    }

    /** Notes that a session is over. */
    void ended(ClientAddress client, long owner) {
        port.ended(client);
        budget.disconnected(owner);
        sessions--;
        completeIfEmpty();
    }

    private void completeIfEmpty() {
        if (sessions == 0 && closing != null) {
            closing.tryComplete();
        }
    }

    /**
     * Begins no sessions any more. Those that run end when nothing passes for a moment, at the latest after
     * {@code drainMillis}.
     *
     * @param retired whether another process reads from the socket; this one may have read some of its datagrams
     * @return completes when none runs
     */
    Future<Void> close(long drainMillis, boolean retired) {
        Promise<Void> closed = closing;
        if (closed == null) {
            closed = Promise.promise();
            closing = closed;
            later(() -> port.remove(this), retired ? READ_MILLIS : 0);
        }
        port.sessionsOf(this).forEach(DatagramSession::drain);
        later(() -> port.sessionsOf(this).forEach(session -> session.close(StreamEnd.DRAINED)), drainMillis);
        completeIfEmpty();
        return closed.future();
    }

    private void later(Runnable task, long millis) {
        if (millis <= 0) {
            task.run();
        } else {
            port.loop().loop().scheduler().schedule(task, millis);
        }
    }
}

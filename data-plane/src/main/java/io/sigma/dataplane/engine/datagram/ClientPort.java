package io.sigma.dataplane.engine.datagram;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.exchange.StreamEnd;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A socket that clients send datagrams to, with their sessions. For a moment it has two listeners, while one takes the
 * place of another at the same address: the newest one gets new sessions. Confined to its event loop, unless a method
 * says something else.
 */
final class ClientPort implements Port.Taker {

    private final DatagramLoop loop;
    private final Map<ClientAddress, DatagramSession> sessions = new HashMap<>();
    /** Those of which nothing proves that their clients are there, the oldest first. */
    private final Set<DatagramSession> unproven = new LinkedHashSet<>();

    private final Deque<SocketListener> listeners = new ArrayDeque<>();
    private volatile @Nullable Port port;
    /** Counts datagrams that belong to no session. */
    private @Nullable SocketListener last;

    ClientPort(DatagramLoop loop) {
        this.loop = loop;
    }

    /** From any thread. */
    DatagramLoop loop() {
        return loop;
    }

    /** Sends through {@code opened} from now on. */
    void opened(Port opened) {
        port = opened;
    }

    /** Reads nothing more. */
    void pause() {
        Port open = port;
        if (open != null) {
            open.pause();
        }
    }

    /** Returns the descriptor of the socket; -1 when there is none that can be passed on. From any thread. */
    int descriptor() {
        Port open = port;
        return open == null ? -1 : open.descriptor();
    }

    void add(SocketListener listener) {
        listeners.push(listener);
        last = listener;
    }

    void remove(SocketListener listener) {
        listeners.remove(listener);
    }

    @Override
    public void received(ByteBuf data, InetSocketAddress from) {
        ClientAddress client = ClientAddress.of(from);
        DatagramSession session = sessions.get(client);
        SocketListener listener = session == null ? listeners.peek() : session.listener();
        if (listener == null) {
            drop(data, last, StreamEnd.Drop.CLOSING);
            return;
        }
        StreamEnd.Drop unfit = listener.unfit(data);
        if (unfit != null) {
            drop(data, listener, unfit);
            return;
        }
        if (session == null) {
            begin(listener, new Newcomer(client, from, listener.ownerOf(from)), data);
        } else {
            session.fromClient(data);
            passed(session);
        }
    }

    private void begin(SocketListener listener, Newcomer newcomer, ByteBuf first) {
        if (listener.tryTake(newcomer) || (listener.isFull() && tryDisplace(listener) && listener.tryTake(newcomer))) {
            if (loop.tryRoom()) {
                beginTaken(listener, newcomer, first);
            } else {
                listener.giveBack(newcomer);
                drop(first, listener, StreamEnd.Drop.SESSIONS_FULL);
            }
        } else if (listener.isFull() && listener.search().tryBegin(newcomer, first)) {
            first.release();
        } else {
            drop(first, listener, StreamEnd.Drop.SESSIONS_FULL);
        }
    }

    private void beginTaken(SocketListener listener, Newcomer newcomer, ByteBuf first) {
        DatagramSession session = listener.begin(newcomer);
        sessions.put(newcomer.client(), session);
        unproven.add(session);
        loop.opened(session);
        session.begin(first);
    }

    /**
     * Ends the oldest session that nothing proves, for a newcomer who needs its place. Senders can invent addresses, of
     * which each would keep everybody else out until its session is idle for too long.
     *
     * @return false when there is none of {@code listener} that may end
     */
    boolean tryDisplace(SocketListener listener) {
        DatagramSession oldest = unproven.isEmpty() ? null : unproven.iterator().next();
        return oldest != null && oldest.listener().equals(listener) && oldest.tryDisplace();
    }

    /**
     * Ends the search for a newcomer.
     *
     * @param taken whether another socket had a place, which is the newcomer's now
     */
    void searched(SocketListener listener, Newcomer newcomer, ByteBuf first, boolean taken) {
        boolean wanted = taken && !sessions.containsKey(newcomer.client()) && listener.equals(listeners.peek());
        if (wanted && loop.tryRoom()) {
            beginTaken(listener, newcomer, first);
            return;
        }
        if (taken) {
            listener.giveBack(newcomer);
        }
        // The newcomer has a session by now, or gets none.
        DatagramSession session = sessions.get(newcomer.client());
        if (session == null) {
            drop(first, listener, StreamEnd.Drop.SESSIONS_FULL);
        } else {
            session.fromClient(first);
            passed(session);
        }
    }

    /** A datagram passed, which may prove that the client of {@code session} is there. */
    void passed(DatagramSession session) {
        if (session.isProvenNow()) {
            unproven.remove(session);
            loop.proven(session);
        }
    }

    /**
     * @param counting null before there is a listener
     */
    private void drop(ByteBuf data, @Nullable SocketListener counting, StreamEnd.Drop reason) {
        data.release();
        count(counting, reason);
    }

    private void count(@Nullable SocketListener counting, StreamEnd.Drop reason) {
        if (counting != null) {
            counting.binding().dropped(loop.loop().index(), reason);
        }
    }

    @Override
    public void failed(Throwable cause) {
        count(last, StreamEnd.Drop.UNSENT);
    }

    /** Sends a datagram to a client of a session; returns false when there is no room. */
    boolean send(ByteBuf data, InetSocketAddress to) {
        Port open = port;
        if (open == null) {
            data.release();
            return false;
        }
        return open.send(data, to);
    }

    /** Returns the sessions of {@code listener}. */
    List<DatagramSession> sessionsOf(SocketListener listener) {
        return sessions.values().stream()
                .filter(session -> session.listener().equals(listener))
                .toList();
    }

    void ended(ClientAddress client) {
        DatagramSession session = sessions.remove(client);
        if (session != null) {
            unproven.remove(session);
            loop.closed(session);
        }
    }

    void close() {
        Port open = port;
        if (open != null) {
            open.close();
        }
    }
}

package io.sigma.dataplane.engine.datagram;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.exchange.StreamEnd;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A socket that clients send datagrams to, with their sessions. For a moment it has two listeners, while one takes the
 * place of another at the same address: the newest one gets new sessions. Confined to its event loop, unless a method
 * says something else.
 */
final class ClientPort implements Port.Taker {

    private final DatagramLoop loop;
    private final Map<ClientAddress, DatagramSession> sessions = new HashMap<>();
    private final Deque<Serving> servings = new ArrayDeque<>();
    private volatile @Nullable Port port;
    /** What counts datagrams that belong to nothing. */
    private @Nullable Serving last;

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

    void add(Serving serving) {
        servings.push(serving);
        last = serving;
    }

    void remove(Serving serving) {
        servings.remove(serving);
    }

    @Override
    public void received(ByteBuf data, InetSocketAddress from) {
        ClientAddress client = ClientAddress.of(from);
        DatagramSession session = sessions.get(client);
        Serving serving = session == null ? servings.peek() : session.serving();
        if (serving == null) {
            drop(data, last, StreamEnd.Drop.CLOSING);
            return;
        }
        StreamEnd.Drop unfit = serving.unfit(data);
        if (unfit != null) {
            drop(data, serving, unfit);
            return;
        }
        if (session == null) {
            session = serving.begin(client, from);
            if (session == null) {
                drop(data, serving, StreamEnd.Drop.SESSIONS_FULL);
                return;
            }
            sessions.put(client, session);
            loop.opened(session);
            session.begin(data);
        } else {
            session.fromClient(data);
        }
    }

    /**
     * @param counting null before there is a listener
     */
    private void drop(ByteBuf data, @Nullable Serving counting, StreamEnd.Drop reason) {
        data.release();
        count(counting, reason);
    }

    private void count(@Nullable Serving counting, StreamEnd.Drop reason) {
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

    /** Returns the sessions of {@code serving}. */
    List<DatagramSession> sessionsOf(Serving serving) {
        return sessions.values().stream()
                .filter(session -> session.serving().equals(serving))
                .toList();
    }

    void ended(ClientAddress client) {
        DatagramSession session = sessions.remove(client);
        if (session != null) {
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

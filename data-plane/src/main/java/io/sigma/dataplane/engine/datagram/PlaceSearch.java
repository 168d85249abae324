package io.sigma.dataplane.engine.datagram;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Iterator;
import java.util.List;

/**
 * The search for a place on the sockets of other event loops. The places of a listener are those of all its sockets, so
 * all sessions that may be displaced can be on other sockets than the newcomer. One newcomer at a time is kept for each
 * socket, with one datagram. Confined to the event loop of the socket, unless a method says something else.
 */
final class PlaceSearch {

    private final SocketListener listener;
    /** The same listener on the other sockets. */
    private List<SocketListener> others = List.of();

    private boolean searching;

    PlaceSearch(SocketListener listener) {
        this.listener = listener;
    }

    /** To be called before {@code listener} is added to its port. From any thread. */
    void among(List<SocketListener> all) {
        others = all.stream().filter(one -> !one.equals(listener)).toList();
    }

    /**
     * Begins to search. When there is a place, the session begins with {@code first}, which is dropped otherwise.
     *
     * @return false when another newcomer is searched for, or there is no other socket
     */
    boolean tryBegin(Newcomer newcomer, ByteBuf first) {
        if (searching || others.isEmpty()) {
            return false;
        }
        searching = true;
        byte[] kept = ByteBufUtil.getBytes(first);
        ask(others.iterator(), newcomer, taken -> {
            searching = false;
            listener.port().searched(listener, newcomer, Unpooled.wrappedBuffer(kept), taken);
        });
        return true;
    }

    /** Is told what was found. */
    private interface Found {

        /**
         * @param taken whether a place was taken for the newcomer
         */
        void found(boolean taken);
    }

    private void ask(Iterator<SocketListener> left, Newcomer newcomer, Found then) {
        if (!left.hasNext()) {
            then.found(false);
            return;
        }
        SocketListener asked = left.next();
        asked.port().loop().later(() -> {
            boolean taken = asked.port().tryDisplace(asked) && listener.tryTake(newcomer);
            listener.port().loop().later(() -> {
                if (taken) {
                    then.found(true);
                } else {
                    ask(left, newcomer, then);
                }
            });
        });
    }
}

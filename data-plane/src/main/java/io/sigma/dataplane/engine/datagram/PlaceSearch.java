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

    /** One of the sockets of a listener. Confined to its event loop, unless a method says something else. */
    interface Socket {

        /** Runs {@code task} on the event loop, soon. From any thread. */
        void later(Runnable task);

        /** Ends the oldest session that nothing proves; returns false when there is none. */
        boolean tryDisplace();

        /** Takes a place; returns false when there are too many. From any thread. */
        boolean tryTake(Newcomer newcomer);

        /**
         * Hears the end of a search.
         *
         * @param first the datagram that was kept, which is the receiver's to release
         * @param taken whether a place was taken, which is the newcomer's now
         */
        void searched(Newcomer newcomer, ByteBuf first, boolean taken);
    }

    private final Socket own;
    /** The same listener on the other sockets. */
    private List<? extends Socket> others = List.of();

    private boolean searching;

    PlaceSearch(Socket own) {
        this.own = own;
    }

    /** To be called before the listener is added to its port. From any thread. */
    void among(List<? extends Socket> all) {
        others = all.stream().filter(one -> !one.equals(own)).toList();
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
            own.searched(newcomer, Unpooled.wrappedBuffer(kept), taken);
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

    private void ask(Iterator<? extends Socket> left, Newcomer newcomer, Found then) {
        if (!left.hasNext()) {
            then.found(false);
            return;
        }
        Socket asked = left.next();
        asked.later(() -> {
            boolean taken = asked.tryDisplace() && own.tryTake(newcomer);
            own.later(() -> {
                if (taken) {
                    then.found(true);
                } else {
                    ask(left, newcomer, then);
                }
            });
        });
    }
}

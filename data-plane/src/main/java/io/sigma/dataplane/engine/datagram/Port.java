package io.sigma.dataplane.engine.datagram;

import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A socket of datagrams. Confined to its event loop. */
public interface Port {

    /** Largest datagram of UDP over IPv4, in bytes (RFC 768, RFC 791 §3.1). */
    int BYTES_MAX = 65_507;

    /** Receives the datagrams of a port. Called on its event loop. */
    interface Taker {

        /**
         * A datagram has come.
         *
         * @param data which the taker releases; one with more than {@link #BYTES_MAX} bytes may be cut off
         * @param from the address of the sender
         */
        void received(ByteBuf data, InetSocketAddress from);

        /** Something could not be sent. Where the port has one peer: it cannot be reached, or nothing listens there. */
        void failed(Throwable cause);
    }

    /**
     * Sends a datagram by the end of this loop iteration.
     *
     * @param data which the port releases in any case
     * @param to null for the peer of a connected port
     * @return false when there is no room for it, so that it is dropped
     */
    boolean send(ByteBuf data, @Nullable InetSocketAddress to);

    /** Reads nothing more; what is sent is sent. */
    void pause();

    /** Returns the descriptor of the socket; -1 when it cannot be passed to another process. From any thread. */
    int descriptor();

    /** Closes the socket. */
    void close();
}

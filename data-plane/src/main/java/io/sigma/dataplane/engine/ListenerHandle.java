package io.sigma.dataplane.engine;

import io.sigma.model.ProxyServer;
import io.vertx.core.Future;
import java.util.List;

/** An open listener, which {@code Listeners} changes and closes. Thread-safe. */
public interface ListenerHandle {

    /**
     * Replaces what is presented to new connections, and the protocols that are agreed on with them; those that are
     * open keep what they have.
     *
     * @param source as {@link ServerBinding#source()} will be
     * @return fails when the authorities cannot be used; what was before then stays
     */
    Future<Void> changeTls(ProxyServer source, TlsMaterial tls);

    /**
     * Stops accepting, lets running exchanges finish for at most {@code drainMillis} and closes what is left.
     *
     * @return completes when nothing is accepted any more and every connection is closed
     */
    Future<Void> close(long drainMillis);

    /**
     * As {@link #close}, while another process accepts from the same sockets: a connection without anything on it ends
     * with its next response, for which it may wait all the time.
     */
    default Future<Void> retire(long drainMillis) {
        return close(drainMillis);
    }

    /** Returns the keys of the tickets that resume sessions of TLS, the latest first; they are secret. */
    default List<byte[]> ticketKeys() {
        return List.of();
    }

    /**
     * Takes tickets of another process, too.
     *
     * @param keys what its {@link #ticketKeys()} returned; those of another length are left out
     */
    default void ticketKeys(List<byte[]> keys) {}
}

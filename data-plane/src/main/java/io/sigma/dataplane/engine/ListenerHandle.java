package io.sigma.dataplane.engine;

import io.sigma.model.ProxyServer;
import io.vertx.core.Future;

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
}

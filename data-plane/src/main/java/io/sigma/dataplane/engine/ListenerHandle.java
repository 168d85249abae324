package io.sigma.dataplane.engine;

import io.vertx.core.Future;

/** An open listener. Thread-safe. */
public interface ListenerHandle {

    /**
     * Replaces what is presented to new connections; those that are open keep what they have.
     *
     * @return fails when the authorities cannot be used; what was before then stays
     */
    Future<Void> changeTls(TlsMaterial tls);

    /**
     * Stops accepting, lets running exchanges finish for at most {@code drainMillis} and closes what is left.
     *
     * @return completes when nothing is accepted any more and every connection is closed
     */
    Future<Void> close(long drainMillis);
}

package io.sigma.dataplane.engine;

import io.vertx.core.Future;

/** An open listener. Thread-safe. */
public interface ListenerHandle {

    /**
     * Replaces certificate and key for new connections; those that are open keep theirs.
     *
     * @return fails when they cannot be read or do not belong together; the old ones then stay
     */
    Future<Void> changeTls(String certPath, String keyPath);

    /**
     * Stops accepting, lets running exchanges finish for at most {@code drainMillis} and closes what is left.
     *
     * @return completes when nothing is accepted any more and every connection is closed
     */
    Future<Void> close(long drainMillis);
}

package io.sigma.bench.control;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.pubsub.PgSubscriber;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Knows when revisions were committed: PostgreSQL notifies with the commit. Thread-safe. */
final class Commits implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;

    private final Vertx vertx = Vertx.vertx();
    private final PgSubscriber subscriber;
    private final Map<Long, CompletableFuture<Long>> nanos = new ConcurrentHashMap<>();

    Commits(String databaseUrl) throws Exception {
        subscriber = PgSubscriber.subscriber(vertx, PgConnectOptions.fromUri(databaseUrl));
        subscriber.channel("sigma_revision").handler(number -> {
            long now = System.nanoTime();
            of(Long.parseLong(number)).complete(now);
        });
        subscriber.connect().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private CompletableFuture<Long> of(long revision) {
        return nanos.computeIfAbsent(revision, number -> new CompletableFuture<>());
    }

    /** Returns the {@link System#nanoTime()} at which a revision was committed; waits for it, and forgets it. */
    long nanosOf(long revision) throws Exception {
        long at = of(revision).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        nanos.remove(revision);
        return at;
    }

    /** Lets go of what nobody will ask for. */
    void forget(long revision) {
        nanos.remove(revision);
    }

    @Override
    public void close() throws TimeoutException {
        subscriber.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}

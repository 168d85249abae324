package io.sigma.controlplane.store;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.pubsub.PgSubscriber;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for the notifications of other control planes on a connection of its own, which is made again when it breaks.
 * Notifications are hints: one that is lost is made up for by the next poll.
 */
final class ChangeListener {

    static final String CHANNEL = "sigma_revision";

    private static final Logger LOG = LoggerFactory.getLogger(ChangeListener.class);

    private static final long BACK_OFF_MIN_MILLIS = 100;
    private static final long BACK_OFF_MAX_MILLIS = 5000;

    private final PgSubscriber subscriber;

    private ChangeListener(PgSubscriber subscriber) {
        this.subscriber = subscriber;
    }

    /** Calls {@code hint}, which must not block, after each notification and after each new connection. */
    static ChangeListener start(Vertx vertx, PgConnectOptions options, Runnable hint) {
        PgSubscriber subscriber = PgSubscriber.subscriber(vertx, options).reconnectPolicy(retries -> backOff(retries));
        subscriber.channel(CHANNEL).subscribeHandler(listening -> hint.run()).handler(payload -> hint.run());
        subscriber
                .connect()
                .onFailure(e -> LOG.warn("Cannot listen for revisions yet, polling meanwhile: {}", e.getMessage()));
        return new ChangeListener(subscriber);
    }

    private static long backOff(int retries) {
        return Math.min(BACK_OFF_MIN_MILLIS << Math.min(retries, 10), BACK_OFF_MAX_MILLIS);
    }

    Future<Void> close() {
        return subscriber.close();
    }
}

package io.sigma.controlplane.store.database;

import io.sigma.controlplane.callback.Attempt;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears the notifications of other control planes on a connection of its own to the host that takes writes, which is
 * made again when it breaks. Notifications are hints: whoever listens also polls. Thread-safe.
 */
public final class Notifications {

    private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);

    private static final long ANSWER_MILLIS = 5_000;
    private static final long BACK_OFF_MIN_MILLIS = 100;
    /** Little, because writes elsewhere wait for the votes of gateways that are asked when a notification says so. */
    private static final long BACK_OFF_MAX_MILLIS = 1_000;

    private static final int BACK_OFF_DOUBLINGS_MAX = 10;

    private final Vertx vertx;
    private final Primary primary;
    private final Map<String, Consumer<String>> handlers = new ConcurrentHashMap<>();

    // Guarded by this.
    private Runnable onListening = () -> {};
    private @Nullable PgConnection connection;
    private int failures;
    private boolean closed;

    Notifications(Vertx vertx, Primary primary) {
        this.vertx = vertx;
        this.primary = primary;
    }

    /** Returns what hears the notifications of one host. */
    public static Notifications of(Vertx vertx, PgConnectOptions host) {
        return new Notifications(vertx, new Primary(vertx, List.of(host), ANSWER_MILLIS));
    }

    /**
     * Calls {@code handler}, which must not block, with what is said on {@code channel}; to be called before
     * {@link #start()}.
     */
    public Notifications on(String channel, Consumer<String> handler) {
        handlers.put(channel, handler);
        return this;
    }

    /**
     * Calls {@code listener}, which must not block, each time that it begins to listen: something may have been missed.
     */
    public synchronized Notifications onListening(Runnable listener) {
        onListening = listener;
        return this;
    }

    /** Begins to listen, and goes on trying until {@link #close()}. */
    public void start() {
        String listen =
                handlers.keySet().stream().map(channel -> "listen " + channel).collect(Collectors.joining(";"));
        Attempt.of(primary::options)
                .compose(options -> PgConnection.connect(vertx, options))
                .onComplete(made -> {
                    if (made.failed()) {
                        failed(made.cause());
                        return;
                    }
                    PgConnection listening = made.result();
                    if (!keep(listening)) {
                        listening.close();
                        return;
                    }
                    listening.notificationHandler(notification -> {
                        Consumer<String> handler = handlers.get(notification.getChannel());
                        if (handler != null) {
                            handler.accept(notification.getPayload());
                        }
                    });
                    listening.closeHandler(gone -> failed(null));
                    listening.query(listen).execute().onComplete(heard -> {
                        if (heard.succeeded()) {
                            listens().run();
                        } else {
                            // Such as on a standby. The end of the connection is what leads to the next one.
                            LOG.debug("Cannot listen here: {}", heard.cause().getMessage());
                            listening.close();
                        }
                    });
                });
    }

    private synchronized boolean keep(PgConnection made) {
        if (closed) {
            return false;
        }
        connection = made;
        primary.remember(made);
        return true;
    }

    private synchronized Runnable listens() {
        failures = 0;
        return onListening;
    }

    private synchronized void failed(@Nullable Throwable cause) {
        connection = null;
        if (closed) {
            return;
        }
        if (failures == 0) {
            LOG.warn(
                    "Cannot listen to the database, polling meanwhile: {}",
                    cause == null ? "the connection is closed" : cause.getMessage());
        }
        long pause = Math.min(BACK_OFF_MIN_MILLIS << Math.min(failures, BACK_OFF_DOUBLINGS_MAX), BACK_OFF_MAX_MILLIS);
        failures++;
        vertx.setTimer(pause, id -> start());
    }

    /** Completes when it is closed, or {@value #ANSWER_MILLIS} ms later. */
    public Future<Void> close() {
        PgConnection open;
        synchronized (this) {
            closed = true;
            open = connection;
        }
        return open == null
                ? Future.succeededFuture()
                : open.close().timeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS).otherwiseEmpty();
    }
}

package io.sigma.controlplane.fleet;

import io.sigma.controlplane.callback.Attempt;
import io.sigma.controlplane.cluster.AcceptedCertificates;
import io.sigma.controlplane.store.database.Notifications;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the registry and the table alike: writes what gateways of this control plane say, at once when others wait for
 * it and else every two seconds, and reads what other control planes wrote when one notifies and every two seconds. At
 * most one write and one read are under way. While the database is away the registry goes on with what it hears itself.
 * Confined to one event loop.
 */
final class GatewaySync {

    static final long INTERVAL_MILLIS = 2_000;

    /**
     * Answers that wait to be written; further ones are lost while the database is away, but for the last of each
     * gateway.
     */
    private static final int SAID_MAX = 20_000;

    private static final Logger LOG = LoggerFactory.getLogger(GatewaySync.class);

    private static final long FORGET_INTERVAL_MILLIS = 60_000;

    private final Vertx vertx;
    private final GatewayRegistry registry;
    private final Histories histories;
    private final GatewayTable table;
    private final WaiverTable waivers;
    private final AnswerTable answers;
    private final GatewayQuestions questions;
    private final VoteServer votes;
    private final AcceptedCertificates certificates;
    private final String controlPlaneId;
    private final Duration forgetAfter;
    private final InstantSource clock;

    // As many as this control plane has gateways.
    private final Map<String, GatewayRow> unwritten = new HashMap<>();
    // Each once, however often it could not be written.
    private final Set<GatewayRow> said = new LinkedHashSet<>();
    private final List<Long> timers = new ArrayList<>();
    private @Nullable Notifications notifications;
    private boolean news;
    private boolean writing;
    private boolean reading;
    private boolean readAgain;
    private boolean failing;

    GatewaySync(
            Vertx vertx,
            GatewayRegistry registry,
            Histories histories,
            GatewayTable table,
            WaiverTable waivers,
            AnswerTable answers,
            GatewayQuestions questions,
            VoteServer votes,
            AcceptedCertificates certificates,
            String controlPlaneId,
            Duration forgetAfter,
            InstantSource clock) {
        this.vertx = vertx;
        this.registry = registry;
        this.histories = histories;
        this.table = table;
        this.waivers = waivers;
        this.answers = answers;
        this.questions = questions;
        this.votes = votes;
        this.certificates = certificates;
        this.controlPlaneId = controlPlaneId;
        this.forgetAfter = forgetAfter;
        this.clock = clock;
    }

    /** Completes when the table was read once. */
    Future<Void> start(Notifications listening) {
        Context context = vertx.getOrCreateContext();
        notifications = listening;
        listening.on(GatewayTable.CHANNEL, writer -> {
            if (!writer.equals(controlPlaneId)) {
                context.runOnContext(v -> read());
            }
        });
        questions.listen(listening);
        votes.listen(listening);
        certificates.listen(listening);
        listening.onListening(() -> {
            context.runOnContext(v -> read());
            votes.heardAgain();
        });
        listening.start();
        timers.add(vertx.setPeriodic(INTERVAL_MILLIS, id -> {
            write();
            read();
        }));
        timers.add(vertx.setPeriodic(FORGET_INTERVAL_MILLIS, id -> forget()));
        return waivers.read().compose(ids -> {
            registry.waive(ids);
            return table.read().map(rows -> {
                registry.sighted();
                rows.forEach(registry::update);
                return null;
            });
        });
    }

    /** Takes in what a gateway of this control plane said. */
    void heard(GatewayRow row) {
        if (certificates.shutOut().contains(row.id())) {
            return;
        }
        GatewayRow before = registry.update(row);
        if (registry.isWaived(row.id()) && row.acknowledges(histories.newest(), histories)) {
            waivers.end(row.id()).onFailure(e -> LOG.debug("A waiver is not ended yet: {}", e.getMessage()));
        }
        unwritten.put(row.id(), row);
        if (before == null || row.isNews(before) || !before.controlPlane().equals(controlPlaneId)) {
            news = true;
            say(List.of(row));
            write();
        }
    }

    private void say(List<GatewayRow> rows) {
        for (GatewayRow row : rows) {
            if (said.size() < SAID_MAX) {
                said.add(row);
            }
        }
    }

    private void write() {
        if (writing || (unwritten.isEmpty() && said.isEmpty())) {
            return;
        }
        writing = true;
        boolean notify = news;
        news = false;
        Map<String, GatewayRow> batch = Map.copyOf(unwritten);
        unwritten.clear();
        List<GatewayRow> answered = List.copyOf(said);
        // Of a revision that this control plane does not know yet it is not known whether the hash is right.
        said.removeIf(row -> row.status().revision() <= histories.newest() || !registry.isSaid(row));
        // Others wait for the status, nobody for the history of it.
        Future<Void> told = batch.isEmpty()
                ? Future.succeededFuture()
                : Attempt.of(() -> table.write(batch.values(), controlPlaneId, notify));
        told.compose(done -> answers.write(answered, histories)).onFailure(e -> {
            // A gateway that repeats its status does not say it again.
            LOG.debug("Answers of gateways could not be stored yet: {}", e.getMessage());
            say(answered);
        });
        told.onComplete(done -> {
            writing = false;
            report(done.cause());
            if (done.failed()) {
                batch.forEach(unwritten::putIfAbsent);
                news |= notify;
            } else if (news) {
                write();
            }
        });
    }

    private void read() {
        if (reading) {
            readAgain = true;
            return;
        }
        reading = true;
        readAgain = false;
        Attempt.of(() -> waivers.read().onSuccess(registry::waive).compose(ids -> table.read()))
                .onComplete(done -> {
                    reading = false;
                    report(done.cause());
                    if (done.succeeded()) {
                        registry.sighted();
                        done.result().stream()
                                .filter(row -> !row.controlPlane().equals(controlPlaneId))
                                .filter(row -> !certificates.shutOut().contains(row.id()))
                                .forEach(registry::update);
                        if (readAgain) {
                            read();
                        }
                    }
                });
    }

    private void forget() {
        registry.forget(clock.instant().minus(forgetAfter));
        table.forget(forgetAfter).onFailure(this::report);
        questions.forget();
        votes.forget();
        answers.forget().onFailure(e -> LOG.debug("Old answers are not deleted: {}", e.getMessage()));
    }

    private void report(@Nullable Throwable failure) {
        if (failure == null && failing) {
            LOG.info("Gateways are shared with the other control planes again");
        } else if (failure != null && !failing) {
            LOG.warn("Gateways cannot be shared with the other control planes: {}", failure.getMessage());
        }
        failing = failure != null;
    }

    /** Writes what is unwritten, then completes. */
    Future<Void> close() {
        timers.forEach(vertx::cancelTimer);
        Future<Void> listening = notifications == null ? Future.succeededFuture() : notifications.close();
        Future<Void> written = unwritten.isEmpty()
                ? Future.succeededFuture()
                : table.write(List.copyOf(unwritten.values()), controlPlaneId, news);
        Future<Void> kept = answers.write(List.copyOf(said), histories);
        return Future.join(listening.otherwiseEmpty(), written.otherwiseEmpty(), kept.otherwiseEmpty())
                .mapEmpty();
    }
}

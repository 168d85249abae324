package io.sigma.controlplane.fleet;

import io.sigma.controlplane.cluster.AcceptedCertificates;
import io.sigma.controlplane.cluster.ClusterAuthority;
import io.sigma.controlplane.cluster.ClusterKeyException;
import io.sigma.controlplane.cluster.ClusterServer;
import io.sigma.controlplane.cluster.PeerListener;
import io.sigma.controlplane.reported.Configured;
import io.sigma.controlplane.store.database.Notifications;
import io.sigma.controlplane.store.database.Page;
import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.controlplane.store.vote.Ballot;
import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayAck;
import io.sigma.model.GatewayAnswer;
import io.sigma.model.GatewayState;
import io.sigma.model.NodeChange;
import io.sigma.model.NodeStanding;
import io.sigma.model.NodeTransition;
import io.sigma.model.NodeView;
import io.sigma.snapshot.Announcement;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.HealthReport;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import io.sigma.snapshot.RouteAnswer;
import io.sigma.snapshot.RouteQuestion;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.TrafficReport;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The control plane's end of the snapshot protocol, on the event bus of its Vert.x: announces revisions, answers
 * fetches, takes in statuses. Gateways in this process use that bus directly; those elsewhere reach it through the
 * bridge. Thread-safe; the protocol's handlers run on one event loop.
 */
public final class FleetServer implements Fleet {

    private static final int INVALID = 400;
    private static final int UNAVAILABLE = 503;
    private static final long TICK_MILLIS = 500;

    private final Vertx vertx;
    private final RevisionLog log;
    private final FleetSettings settings;
    private final Context context;
    private final WorkerExecutor bodies;
    private final InstantSource clock = new MonotonicClock();
    private final GatewayRegistry registry;
    private final NodeHealthSync health;
    private final GatewayQuestions questions;
    private final Transfers transfers;
    private final AnswerTable answers;
    private final VoteServer votes;
    private final TrafficLog traffic;
    private final AcceptedCertificates certificates;
    private final GatewaySync sync;
    private final List<MessageConsumer<JsonObject>> consumers = new ArrayList<>();

    // Written before the server is handed out.
    private volatile @Nullable ClusterServer bridge;
    private volatile boolean closed;
    private long tick;

    private FleetServer(Vertx vertx, Pool pool, RevisionLog log, FleetSettings settings) {
        this.vertx = vertx;
        this.log = log;
        this.settings = settings;
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        // A single thread: bodies of large states take memory, so they are built one after the other.
        this.bodies = vertx.createSharedWorkerExecutor("sigma-snapshots", 1);
        Histories histories = Histories.of(log);
        this.registry = new GatewayRegistry(
                histories, settings.lostAfter(), clock, System::nanoTime, settings.controlPlaneId());
        Configured configured = new Configured(log);
        this.health = new NodeHealthSync(
                vertx, new NodeHealthTable(pool), new NodeEventTable(pool, settings.nodes()), configured);
        this.traffic = new TrafficLog(vertx, context, pool, settings.traffic(), InstantSource.system(), configured);
        this.questions = new GatewayQuestions(vertx, new QuestionTable(pool), settings.controlPlaneId());
        this.answers = new AnswerTable(pool);
        this.transfers = new Transfers(bodies::executeBlocking);
        this.votes = new VoteServer(vertx, context, registry, new ProposalTable(pool), transfers, settings);
        this.certificates = new AcceptedCertificates(vertx, pool);
        this.sync = new GatewaySync(
                vertx,
                registry,
                histories,
                new GatewayTable(pool, clock),
                new WaiverTable(pool),
                answers,
                questions,
                votes,
                certificates,
                settings.controlPlaneId(),
                settings.forgetAfter(),
                clock);
    }

    /**
     * Starts serving gateways.
     *
     * @param pool for the tables {@code gateways} and {@code cluster_authority}
     * @param listening hears the notifications of the same database, not started
     * @return fails with {@link ClusterKeyException} when the key of the cluster's authority cannot be decrypted, and
     *     when the port or the database cannot be used
     */
    public static Future<FleetServer> start(
            Vertx vertx, Pool pool, Notifications listening, RevisionLog log, FleetSettings settings) {
        FleetServer fleet = new FleetServer(vertx, pool, log, settings);
        Promise<FleetServer> started = Promise.promise();
        fleet.context.runOnContext(v -> fleet.begin(pool, listening)
                .recover(e -> fleet.close().transform(done -> Future.failedFuture(e)))
                .map(fleet)
                .onComplete(started));
        return started.future();
    }

    private Future<Void> begin(Pool pool, Notifications listening) {
        FetchConsumer fetches = new FetchConsumer(log, transfers);
        consumers.add(
                vertx.eventBus().<JsonObject>consumer(SnapshotProtocol.FETCH).handler(fetches));
        consumers.add(
                vertx.eventBus().<JsonObject>consumer(SnapshotProtocol.STATUS).handler(this::status));
        consumers.add(vertx.eventBus()
                .<JsonObject>consumer(SnapshotProtocol.HEALTH)
                .handler(message -> keep(message, "health", HealthReport.class, health::heard)));
        consumers.add(
                vertx.eventBus().<JsonObject>consumer(SnapshotProtocol.ANSWER).handler(questions::answered));
        consumers.add(
                vertx.eventBus().<JsonObject>consumer(SnapshotProtocol.VOTE).handler(votes::vote));
        consumers.add(vertx.eventBus()
                .<JsonObject>consumer(SnapshotProtocol.TRAFFIC)
                .handler(message -> keep(message, "traffic", TrafficReport.class, traffic::heard)));
        log.onAdvance(this::announce);
        tick = vertx.setPeriodic(TICK_MILLIS, id -> registry.changed());
        return sync.start(listening).compose(read -> openBridge(pool));
    }

    private Future<Void> openBridge(Pool pool) {
        FleetSettings.Bridge port = settings.bridge();
        if (port == null) {
            return Future.succeededFuture();
        }
        certificates.onChange(registry::remove);
        return certificates
                .start()
                .compose(read -> ClusterAuthority.open(vertx, pool, port.keys(), port.certificateValidity()))
                .compose(authority -> ClusterServer.listen(
                        vertx,
                        authority,
                        certificates,
                        settings.controlPlaneId(),
                        port.joinToken(),
                        port.host(),
                        port.port(),
                        port.connectionsMax(),
                        new PeerListener() {
                            @Override
                            public void reached(String gatewayId) {
                                votes.reached(gatewayId);
                            }

                            @Override
                            public void gone(String gatewayId) {
                                votes.gone(gatewayId);
                            }
                        }))
                .map(opened -> {
                    bridge = opened;
                    return null;
                });
    }

    /** Called on the log's thread. */
    private void announce(Snapshot newest) {
        if (!closed) {
            vertx.eventBus().publish(SnapshotProtocol.ANNOUNCE, FleetJson.of(announcement(newest)));
            registry.changed();
        }
    }

    private Announcement announcement(Snapshot newest) {
        return new Announcement(newest.revision(), newest.hash().hex(), settings.controlPlaneId());
    }

    private void status(Message<JsonObject> message) {
        try {
            GatewayStatus status = StatusCheck.checked(FleetJson.read(message.body(), GatewayStatus.class));
            sync.heard(new GatewayRow(status, settings.controlPlaneId(), clock.instant()));
            reply(message, status);
        } catch (IllegalArgumentException | NullPointerException e) {
            message.fail(INVALID, "status: " + e.getMessage());
        }
    }

    /** A gateway that serves something else may be right: it is contradicted only with what the database says now. */
    private void reply(Message<JsonObject> message, GatewayStatus status) {
        Snapshot newest = log.current();
        boolean fits = status.revision() < newest.revision()
                || (status.revision() == newest.revision()
                        && status.stateHash().equals(newest.hash().hex()));
        if (fits || message.replyAddress() == null) {
            message.reply(FleetJson.of(announcement(newest)));
            return;
        }
        log.confirmed()
                .onSuccess(known -> message.reply(FleetJson.of(announcement(known))))
                .onFailure(e -> message.fail(UNAVAILABLE, "status: the database could not confirm the revision"));
    }

    /** Keeps a report of a gateway, and answers when that is done. */
    private static <T> void keep(Message<JsonObject> message, String name, Class<T> type, Function<T, Future<?>> kept) {
        try {
            kept.apply(FleetJson.read(message.body(), type))
                    .onSuccess(done -> message.reply(new JsonObject()))
                    .onFailure(e -> message.fail(UNAVAILABLE, name + ": not kept"));
        } catch (IllegalArgumentException | NullPointerException e) {
            message.fail(INVALID, name + ": " + e.getMessage());
        }
    }

    @Override
    public Future<List<GatewayAck>> acks(long revision, Instant committedAt) {
        return answers.read(revision, committedAt).map(known -> {
            Map<String, GatewayAck> acks = new TreeMap<>(known);
            for (Gateway gateway : registry.gateways()) {
                boolean live = gateway.state() != GatewayState.LOST;
                GatewayAck said = acks.get(gateway.id());
                if (said != null || live) {
                    boolean served = gateway.revision() <= log.current().revision();
                    acks.put(gateway.id(), AnswerTable.ack(gateway, live, served, said, revision, committedAt));
                }
            }
            return List.copyOf(acks.values());
        });
    }

    @Override
    public Optional<RefusedRevision> refused() {
        Snapshot newest = log.current();
        return registry.refused(newest.revision(), newest.hash().hex());
    }

    @Override
    public Ballot ballot() {
        return votes;
    }

    @Override
    public Future<Map<String, List<NodeView>>> nodeViews(String upstreamId) {
        return health.read(upstreamId);
    }

    @Override
    public Future<List<NodeStanding>> standings(
            @Nullable Collection<String> upstreamIds, Collection<String> live, int limit) {
        return health.standings(upstreamIds, live, limit);
    }

    @Override
    public Future<Page<Long, NodeTransition>> nodeHistory(
            String upstreamId, long before, @Nullable String url, @Nullable String gatewayId, int limit) {
        return health.history(upstreamId, before, url, gatewayId, limit);
    }

    @Override
    public TrafficLog traffic() {
        return traffic;
    }

    @Override
    public Future<RouteAnswer> ask(RouteQuestion question, Duration timeout) {
        return questions.ask(question, RouteAnswer.class, controlPlaneOf(question.gatewayId()), timeout);
    }

    @Override
    public Future<RequestsAnswer> ask(RequestsQuestion question, Duration timeout) {
        return questions.ask(question, RequestsAnswer.class, controlPlaneOf(question.gatewayId()), timeout);
    }

    private String controlPlaneOf(String gatewayId) {
        Optional<Gateway> gateway = registry.gateway(gatewayId);
        return String.valueOf(gateway.map(Gateway::controlPlane).orElse(settings.controlPlaneId()));
    }

    @Override
    public void onNodeChange(Consumer<NodeChange> listener) {
        health.onChange(listener);
    }

    @Override
    public Optional<Integer> clusterPort() {
        return Optional.ofNullable(bridge).map(ClusterServer::port);
    }

    @Override
    public Future<List<GatewayAnswer>> answers(long revision, Extent extent, Duration timeout) {
        Answers wait = registry.await(revision, extent);
        Future<List<GatewayAnswer>> answered = wait.promise().future();
        if (!answered.isComplete()) {
            long timer = vertx.setTimer(Math.max(1, timeout.toMillis()), id -> registry.giveUp(wait));
            answered.onComplete(done -> vertx.cancelTimer(timer));
        }
        return answered;
    }

    @Override
    public List<GatewayAnswer> silent(long revision) {
        return registry.silent(revision);
    }

    @Override
    public List<Gateway> gateways() {
        return registry.gateways();
    }

    @Override
    public Optional<Gateway> gateway(String id) {
        return registry.gateway(id);
    }

    @Override
    public void onChange(Consumer<Gateway> listener) {
        registry.onChange(listener);
    }

    @Override
    public Future<Void> close() {
        closed = true;
        Promise<Void> done = Promise.promise();
        context.runOnContext(v -> {
            vertx.cancelTimer(tick);
            health.close();
            votes.close();
            traffic.close();
            certificates.close();
            ClusterServer open = bridge;
            Future<Void> port = open == null ? Future.succeededFuture() : open.close();
            List<Future<Void>> gone = new ArrayList<>();
            consumers.forEach(consumer -> gone.add(consumer.unregister()));
            port.otherwiseEmpty()
                    .compose(closedPort -> Future.join(gone).otherwiseEmpty())
                    .compose(silent -> sync.close())
                    .compose(written -> bodies.close())
                    .onComplete(done);
        });
        return done.future();
    }
}

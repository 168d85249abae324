package io.sigma.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.access.Accounts;
import io.sigma.controlplane.analysis.Analyst;
import io.sigma.controlplane.api.AdminServer;
import io.sigma.controlplane.api.contract.Contract;
import io.sigma.controlplane.events.EventLog;
import io.sigma.controlplane.events.EventSources;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.fleet.FleetServer;
import io.sigma.controlplane.fleet.FleetSettings;
import io.sigma.controlplane.fleet.NoFleet;
import io.sigma.controlplane.resource.ImportOutcome;
import io.sigma.controlplane.resource.Precondition;
import io.sigma.controlplane.resource.ResourceService;
import io.sigma.controlplane.resource.StateService;
import io.sigma.controlplane.resource.UpstreamGuard;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.controlplane.settings.OwnSecrets;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.history.RevisionLog;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running control plane. Thread-safe. */
public final class ControlPlane {

    private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);

    private final Vertx vertx;
    private final ControlPlaneSettings settings;
    private final Store store;
    private final Fleet fleet;
    private final Accounts accounts;
    private final Optional<String> firstAdmin;
    private final StateService states;
    private final Analyst analyst;
    private final EventLog events;
    private final @Nullable RefusedRollBack rollBack;
    private final AdminServer server;
    private final String deployment;

    private ControlPlane(
            Vertx vertx,
            ControlPlaneSettings settings,
            Store store,
            Fleet fleet,
            Accounts accounts,
            Optional<String> firstAdmin,
            StateService states,
            Analyst analyst,
            EventLog events,
            @Nullable RefusedRollBack rollBack,
            AdminServer server,
            String deployment) {
        this.vertx = vertx;
        this.settings = settings;
        this.store = store;
        this.fleet = fleet;
        this.accounts = accounts;
        this.firstAdmin = firstAdmin;
        this.states = states;
        this.analyst = analyst;
        this.events = events;
        this.rollBack = rollBack;
        this.server = server;
        this.deployment = deployment;
    }

    /**
     * Starts a control plane; its event bus is that of {@code vertx}, on which a gateway of the same process is served
     * directly. Completes when the admin API answers. Fails with a message for people: the database cannot be used, the
     * port is taken, a setting is wrong.
     *
     * @param settings secrets that are absent are generated once and kept in the data folder
     */
    public static Future<ControlPlane> start(Vertx vertx, ControlPlaneSettings settings) {
        return onVirtualThread(() -> startWaiting(vertx, OwnSecrets.complete(settings), true));
    }

    /** As {@link #start}, without the cluster port: for an installation whose one gateway is in the same process. */
    public static Future<ControlPlane> startLocal(Vertx vertx, ControlPlaneSettings settings) {
        return onVirtualThread(() -> startWaiting(vertx, OwnSecrets.complete(settings), false));
    }

    private static ControlPlane startWaiting(Vertx vertx, ControlPlaneSettings settings, boolean bridged)
            throws InterruptedException {
        Future<Contract> loading = Contract.load(vertx);
        Store store = Store.open(vertx, settings);
        Fleet fleet = new NoFleet();
        Accounts accounts = Accounts.open(store, settings);
        Analyst analyst = null;
        EventLog events = null;
        boolean started = false;
        try {
            Set<Integer> ownPorts = new CopyOnWriteArraySet<>(store.databasePorts());
            UpstreamGuard guard =
                    new UpstreamGuard(settings.upstreamAllow(), settings.upstreamDeny(), ownPorts::contains);
            Contract contract = loading.await();
            fleet = FleetServer.start(
                            vertx,
                            store.database().pool(),
                            store.database().notifications(),
                            store.log(),
                            FleetSettings.of(settings, bridged))
                    .await();
            store.writer().ask(fleet.ballot(), settings.gateways().gatewayVoteMillis());
            ResourceService resources = new ResourceService(store, contract, guard);
            StateService states = new StateService(store, contract, guard);
            analyst = new Analyst(store.log(), InstantSource.system());
            Database database = store.database();
            events = EventLog.start(
                            vertx,
                            database.pool(),
                            database.notifications(),
                            settings.history().eventsKeptMax())
                    .await();
            String id = Objects.requireNonNull(settings.controlPlaneId(), "controlPlaneId");
            EventSources.connect(events, id, store.log(), fleet, analyst);
            analyst.start();
            AdminServer server = new AdminServer(
                    settings, contract, store, resources, states, fleet, analyst, events, accounts, version());
            DeploymentOptions virtual = new DeploymentOptions().setThreadingModel(ThreadingModel.VIRTUAL_THREAD);
            String deployment = vertx.deployVerticle(server, virtual)
                    .recover(e -> Future.failedFuture(new FailureException(
                            new Failure.Unavailable("The admin API cannot be served at "
                                    + settings.admin().adminHost() + ":"
                                    + settings.admin().adminPort() + ": " + e.getMessage()),
                            e)))
                    .await();
            ownPorts.add(server.port());
            fleet.clusterPort().ifPresent(ownPorts::add);
            LOG.info(
                    "Control plane {} serves at {}:{}",
                    settings.controlPlaneId(),
                    settings.admin().adminHost(),
                    server.port());
            Optional<String> firstAdmin = accounts.makeFirstAdmin(settings);
            RefusedRollBack rollBack = settings.gateways().gatewayRefusedRollBack()
                    ? RefusedRollBack.start(states, store.log(), fleet)
                    : null;
            started = true;
            return new ControlPlane(
                    vertx,
                    settings,
                    store,
                    fleet,
                    accounts,
                    firstAdmin,
                    states,
                    analyst,
                    events,
                    rollBack,
                    server,
                    deployment);
        } finally {
            // Not a catch: what a future fails with may be a checked exception, such as that the port is taken.
            if (!started) {
                if (analyst != null) {
                    analyst.close();
                }
                if (events != null) {
                    events.close().otherwiseEmpty().await();
                }
                accounts.close();
                fleet.close().eventually(store::close).otherwiseEmpty().await();
            }
        }
    }

    /** Returns the port of the admin API. */
    public int adminPort() {
        return server.port();
    }

    /** Returns the port of PostgreSQL. */
    public int databasePort() {
        return store.databasePort();
    }

    /** Returns whether something of this control plane, its database included, listens on {@code port}. */
    public boolean isOwnPort(int port) {
        return port == adminPort()
                || store.databasePorts().contains(port)
                || clusterPort().filter(own -> own == port).isPresent();
    }

    /** Returns how the first admin logs in, when it was made at this start; to be said once. */
    public Optional<String> firstAdmin() {
        return firstAdmin;
    }

    /** Returns the settings in effect, with the secrets that were generated. */
    public ControlPlaneSettings settings() {
        return settings;
    }

    /** Returns the port for gateways outside this process; empty where there is none. */
    public Optional<Integer> clusterPort() {
        return fleet.clusterPort();
    }

    public RevisionLog revisionLog() {
        return store.log();
    }

    public Fleet fleet() {
        return fleet;
    }

    /**
     * Creates or replaces every resource of a sigma.json file, in one revision. Fails with {@link FailureException}, as
     * the import of the admin API does.
     *
     * @param author the name in the history
     */
    public Future<ImportOutcome> importSigmaJson(JsonNode file, String author) {
        return onVirtualThread(() -> states.importFile(
                states.readFile(file), Precondition.NONE, new WriteRequest(author, null, "local", "importSigmaJson")));
    }

    /** Stops serving and closes every connection. Completes when nothing of it runs any more. */
    public Future<Void> close() {
        analyst.close();
        if (rollBack != null) {
            rollBack.close();
        }
        return vertx.undeploy(deployment)
                .eventually(fleet::close)
                .eventually(events::close)
                .eventually(store::close)
                .onComplete(closed -> accounts.close());
    }

    private static String version() {
        try (InputStream in = ControlPlane.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(Objects.requireNonNull(in, "version.properties"));
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> Future<T> onVirtualThread(Callable<T> work) {
        Promise<T> promise = Promise.promise();
        Thread.ofVirtual().name("sigma-control-plane").start(() -> {
            try {
                promise.complete(work.call());
            } catch (Throwable e) {
                promise.fail(e);
            }
        });
        return promise.future();
    }
}

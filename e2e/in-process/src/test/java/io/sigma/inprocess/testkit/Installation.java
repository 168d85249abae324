package io.sigma.inprocess.testkit;

import static io.sigma.inprocess.testkit.Waiting.await;

import io.sigma.controlplane.fleet.FleetServer;
import io.sigma.controlplane.fleet.FleetSettings;
import io.sigma.controlplane.secret.KeyRing;
import io.sigma.controlplane.store.database.Notifications;
import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.dataplane.link.BridgeLink;
import io.sigma.dataplane.link.ControlLink;
import io.sigma.dataplane.link.GatewayIdentity;
import io.sigma.dataplane.link.NodeReports;
import io.sigma.dataplane.link.RouteAnswers;
import io.sigma.dataplane.link.SnapshotClient;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.postgres.EmbeddedPostgres;
import io.sigma.snapshot.TrafficEntry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Control planes that share a database and a log of revisions, and gateways; closed together, the newest first. */
public final class Installation implements AutoCloseable {

    public static final String JOIN_TOKEN = "join-token-of-the-test-installation";
    public static final String SECRET = "secret-of-the-test-installation";

    private static final Duration VALIDITY = Duration.ofDays(90);

    private static @Nullable EmbeddedPostgres postgres;

    /** A control plane without its API. */
    public record ControlPlane(Vertx vertx, FleetServer fleet, int port) {}

    /** A gateway without its traffic. */
    public record Gateway(String id, MemoryTarget target, SnapshotClient client, Path dataDir) {}

    private final Set<Vertx> killed = new HashSet<>();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final MemoryLog log = new MemoryLog();
    private final Path dir;
    private final Vertx vertx = Vertx.vertx();
    private final PgConnectOptions database;
    private final Pool pool;

    public Installation(Path dir) throws Exception {
        this.dir = dir;
        database = PgConnectOptions.fromUri(server().url());
        pool = PgBuilder.pool().using(vertx).connectingTo(database).build();
        open.push(() -> await(vertx.close()));
        await(pool.query(
                        "drop table if exists gateways, cluster_authority, node_health, route_questions, votes, proposals, traffic,"
                                + " traffic_reports, gateway_answers, gateway_certificates, gateway_revocations, node_events, gateway_waivers, unchanged_writes")
                .execute());
        await(pool.query(migration("V010__fleet.sql")).execute());
        await(pool.query(migration("V030__node_health.sql")).execute());
        await(pool.query(migration("V122__node_events.sql")).execute());
        await(pool.query(migration("V110__route_questions.sql")).execute());
        await(pool.query(migration("V100__votes.sql")).execute());
        await(pool.query(migration("V111__traffic.sql")).execute());
        await(pool.query(migration("V101__gateway_answers.sql")).execute());
        await(pool.query(migration("V121__gateway_certificates.sql")).execute());
        await(pool.query(migration("V140__gateway_waivers.sql")).execute());
        await(pool.query(migration("V141__revision_of_waivers.sql")).execute());
    }

    public static synchronized EmbeddedPostgres server() throws Exception {
        if (postgres == null) {
            postgres = EmbeddedPostgres.start(Path.of("target/postgres-test").toAbsolutePath());
        }
        return postgres;
    }

    private static String migration(String name) throws Exception {
        try (InputStream in = Installation.class.getResourceAsStream("/db/migration/" + name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public MemoryLog log() {
        return log;
    }

    public Pool pool() {
        return pool;
    }

    public Vertx vertx() {
        return vertx;
    }

    public Path dir() {
        return dir;
    }

    public ControlPlane controlPlane(String id) throws Exception {
        return controlPlane(id, 0, SECRET);
    }

    /** @param port 0 for a free one */
    public ControlPlane controlPlane(String id, int port, String secret) throws Exception {
        FleetSettings.Bridge bridge =
                new FleetSettings.Bridge("127.0.0.1", port, 100, JOIN_TOKEN, new KeyRing(secret, null), VALIDITY);
        return controlPlane(settings(id, bridge));
    }

    /** A control plane whose gateways' certificates are valid so long. */
    public ControlPlane controlPlane(String id, Duration certificateValidity) throws Exception {
        return controlPlane(settings(
                id,
                new FleetSettings.Bridge(
                        "127.0.0.1", 0, 100, JOIN_TOKEN, new KeyRing(SECRET, null), certificateValidity)));
    }

    /** A control plane that waits so long for votes. */
    public ControlPlane controlPlane(String id, int voteMillis, boolean votesRequired) throws Exception {
        FleetSettings.Bridge bridge =
                new FleetSettings.Bridge("127.0.0.1", 0, 100, JOIN_TOKEN, new KeyRing(SECRET, null), VALIDITY);
        return controlPlane(new FleetSettings(
                id,
                bridge,
                Duration.ofSeconds(4),
                Duration.ofDays(1),
                voteMillis,
                votesRequired,
                new TrafficLog.Limits(100, Duration.ofHours(1), Duration.ofDays(1)),
                new FleetSettings.NodeHistory(Duration.ofDays(1), 10)));
    }

    private ControlPlane controlPlane(FleetSettings settings) throws Exception {
        Vertx own = Vertx.vertx();
        open.push(() -> await(own.close()));
        FleetServer fleet = await(FleetServer.start(own, pool, Notifications.of(own, database), log, settings));
        open.push(() -> {
            if (!killed.contains(own)) {
                await(fleet.close());
            }
        });
        return new ControlPlane(own, fleet, fleet.clusterPort().orElseThrow());
    }

    /** A control plane that may not have started yet. */
    public record Starting(Vertx vertx, Future<FleetServer> future) implements AutoCloseable {

        public ControlPlane await() throws Exception {
            FleetServer fleet = Waiting.await(future);
            return new ControlPlane(vertx, fleet, fleet.clusterPort().orElseThrow());
        }

        @Override
        public void close() throws IOException {
            if (future.succeeded()) {
                Waiting.awaitClosed(future.result().close());
            }
        }
    }

    public Starting starting(String id) {
        return starting(id, SECRET);
    }

    public Starting starting(String id, String secret) {
        Vertx own = Vertx.vertx();
        open.push(() -> await(own.close()));
        FleetSettings.Bridge bridge =
                new FleetSettings.Bridge("127.0.0.1", 0, 100, JOIN_TOKEN, new KeyRing(secret, null), VALIDITY);
        return new Starting(
                own, FleetServer.start(own, pool, Notifications.of(own, database), log, settings(id, bridge)));
    }

    /** Returns a control plane on whose event bus its gateways are. */
    public ControlPlane localControlPlane(String id) throws Exception {
        Vertx own = Vertx.vertx();
        open.push(() -> await(own.close()));
        FleetServer fleet =
                await(FleetServer.start(own, pool, Notifications.of(own, database), log, settings(id, null)));
        open.push(() -> await(fleet.close()));
        return new ControlPlane(own, fleet, 0);
    }

    private static FleetSettings settings(String id, FleetSettings.@Nullable Bridge bridge) {
        return new FleetSettings(
                id,
                bridge,
                Duration.ofSeconds(4),
                Duration.ofDays(1),
                5_000,
                false,
                new TrafficLog.Limits(100, Duration.ofHours(1), Duration.ofDays(1)),
                new FleetSettings.NodeHistory(Duration.ofDays(1), 10));
    }

    /** Stops a control plane as a crash does: its connections end without a word. */
    public void kill(ControlPlane controlPlane) throws Exception {
        killed.add(controlPlane.vertx());
        await(controlPlane.vertx().close());
    }

    public Gateway gateway(String id, int... ports) throws Exception {
        return gateway(
                id, Arrays.stream(ports).mapToObj(port -> "127.0.0.1:" + port).toList(), JOIN_TOKEN);
    }

    /** A gateway that can never serve a state with that upstream. */
    public Gateway gateway(String id, int port, String badUpstream) {
        ControlLink link = BridgeLink.of(settings(id, List.of("127.0.0.1:" + port), JOIN_TOKEN), id);
        MemoryTarget target = new MemoryTarget();
        target.refuseLate(badUpstream);
        GatewayIdentity identity = new GatewayIdentity(id, "host-of-" + id, "1.0", Instant.now());
        SnapshotClient client = SnapshotClient.start(vertx, link, target, identity);
        open.push(() -> await(client.close()));
        return new Gateway(id, target, client, dir.resolve(id));
    }

    public Gateway gateway(String id, List<String> controlPlanes, @Nullable String joinToken) throws Exception {
        return gateway(id, BridgeLink.of(settings(id, controlPlanes, joinToken), id), vertx);
    }

    public Gateway gateway(String id, ControlLink link, Vertx loops) {
        MemoryTarget target = new MemoryTarget();
        GatewayIdentity identity = new GatewayIdentity(id, "host-of-" + id, "1.0", Instant.now());
        SnapshotClient client = SnapshotClient.start(loops, link, target, identity);
        open.push(() -> await(client.close()));
        return new Gateway(id, target, client, dir.resolve(id));
    }

    /** A gateway that holds {@code nodes} and hangs on the control plane at {@code port}. */
    public Gateway gateway(String id, int port, NodeReports nodes) {
        MemoryTarget target = new MemoryTarget();
        GatewayIdentity identity = new GatewayIdentity(id, "host-of-" + id, "1.0", Instant.now());
        ControlLink link = BridgeLink.of(settings(id, List.of("127.0.0.1:" + port), JOIN_TOKEN), id);
        SnapshotClient client = SnapshotClient.start(vertx, link, target, identity, nodes, null, null);
        open.push(() -> await(client.close()));
        return new Gateway(id, target, client, dir.resolve(id));
    }

    /** A gateway to which comes what {@code spans} say, and that hangs on the control planes at {@code ports}. */
    public void gateway(String id, Supplier<List<TrafficEntry>> spans, int... ports) throws Exception {
        List<String> addresses =
                Arrays.stream(ports).mapToObj(port -> "127.0.0.1:" + port).toList();
        GatewayIdentity identity = new GatewayIdentity(id, "host-of-" + id, "1.0", Instant.now());
        ControlLink link = BridgeLink.of(settings(id, addresses, JOIN_TOKEN), id);
        SnapshotClient client = SnapshotClient.start(vertx, link, new MemoryTarget(), identity, null, null, spans);
        open.push(() -> await(client.close()));
    }

    /** A gateway that answers questions about routes and hangs on the control plane at {@code port}. */
    public void gateway(String id, int port, RouteAnswers routes) {
        GatewayIdentity identity = new GatewayIdentity(id, "host-of-" + id, "1.0", Instant.now());
        ControlLink link = BridgeLink.of(settings(id, List.of("127.0.0.1:" + port), JOIN_TOKEN), id);
        SnapshotClient client = SnapshotClient.start(vertx, link, new MemoryTarget(), identity, null, routes, null);
        open.push(() -> await(client.close()));
    }

    public GatewaySettings settings(String id, List<String> controlPlanes, @Nullable String joinToken) {
        return SettingsOf.gateway(dir.resolve(id), controlPlanes, joinToken);
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                failure = new IOException("not closed", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}

package io.sigma.standalone;

import io.sigma.controlplane.ControlPlane;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.controlplane.settings.OwnSecrets;
import io.sigma.dataplane.Gateway;
import io.sigma.dataplane.link.LocalLink;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.model.GatewayAnswer;
import io.sigma.model.ProxyServer;
import io.sigma.model.Refusal;
import io.sigma.postgres.EmbeddedPostgres;
import io.sigma.value.Addresses;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A control plane and a gateway in this JVM, on one Vert.x, with a PostgreSQL of their own unless the settings name
 * another.
 */
public final class Standalone implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Standalone.class);
    private static final int START_SECONDS_MAX = 90;
    /** Of each part, beyond what requests that run are given. */
    private static final int STOP_SECONDS_MAX = 10;

    private static final Duration SERVING_WAIT = Duration.ofSeconds(10);
    private static final Duration ANSWER_WAIT = Duration.ofMillis(200);
    private static final Duration POLL = Duration.ofMillis(10);

    // The started parts, the last first. Confined to the threads that start and close, one after the other.
    private final Deque<Part> parts = new ArrayDeque<>();
    private final ControlPlane controlPlane;
    private final Gateway gateway;

    /** Where a generated admin token lies; null for one of the settings. */
    private final @Nullable Path tokenFile;

    private final boolean tokenIsNew;

    private record Part(String name, AutoCloseable closeable) {}

    private Standalone(ProcessSettings given, @Nullable Integer demoPort) throws IOException, TimeoutException {
        try {
            ProcessSettings settings = withDefaults(given);
            GatewaySettings gatewaySettings = settings.gateway();
            ControlPlaneSettings controlPlaneSettings = settings.controlPlane();
            Path token = controlPlaneSettings
                    .dataDir()
                    .resolve(OwnSecrets.ADMIN_TOKEN_FILE)
                    .normalize();
            tokenFile = controlPlaneSettings.adminToken() == null ? token : null;
            tokenIsNew = tokenFile != null && !Files.exists(token);
            Vertx vertx = VertxFactory.forGateway(gatewaySettings, null);
            parts.push(new Part("Vert.x", () -> await(vertx.close(), STOP_SECONDS_MAX)));
            controlPlane = await(ControlPlane.startLocal(vertx, settings.controlPlane()), START_SECONDS_MAX);
            parts.push(new Part("control plane", () -> await(controlPlane.close(), STOP_SECONDS_MAX)));
            gateway = await(
                    Gateway.start(vertx, gatewaySettings, new LocalLink(vertx, controlPlane::isOwnPort)),
                    START_SECONDS_MAX);
            int stopSeconds = Math.ceilDiv(gatewaySettings.stop().millis(), 1000);
            parts.push(new Part("gateway", () -> await(gateway.close(), stopSeconds + STOP_SECONDS_MAX)));
            if (demoPort != null) {
                Demo.start(vertx, controlPlane, gatewaySettings.dataDir(), demoPort);
            }
            awaitServing();
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /**
     * Starts everything; blocks.
     *
     * @param demoPort null for no demo; else a demo upstream runs too, and on an empty store a configuration is loaded
     *     that leads to it from this port
     * @throws io.sigma.settings.InvalidSettings when a setting is invalid
     * @throws IOException with a message for people, when the database cannot be started
     */
    public static Standalone start(ProcessSettings settings, @Nullable Integer demoPort)
            throws IOException, TimeoutException {
        return new Standalone(settings, demoPort);
    }

    /** Fills in what standalone mode defaults otherwise than the processes do. */
    private ProcessSettings withDefaults(ProcessSettings given) throws IOException {
        ProcessSettings settings = given;
        ControlPlaneSettings controlPlaneSettings = settings.controlPlane();
        Path dataDir = controlPlaneSettings.dataDir();
        if (controlPlaneSettings.database().databaseUrl() == null) {
            EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir);
            parts.push(new Part("PostgreSQL", postgres));
            settings = settings.with("databaseUrl", postgres.url());
        }
        // Standard output carries the line that says where everything is, so it is no place for access records.
        if (settings.read(ChosenSettings.class).accessLog() == null) {
            settings = settings.with("accessLog", dataDir.resolve("access.log"));
        }
        return settings;
    }

    /**
     * Waits until the gateway serves what the store holds, within a bound; a gateway that refuses it does not keep us
     * from starting.
     */
    private void awaitServing() throws TimeoutException {
        long revision = controlPlane.revisionLog().current().revision();
        long deadline = System.nanoTime() + SERVING_WAIT.toNanos();
        while (gateway.snapshotTarget().current().revision() < revision) {
            for (GatewayAnswer answer : await(controlPlane.fleet().answers(revision, ANSWER_WAIT), START_SECONDS_MAX)) {
                Refusal refusal = answer.refusal();
                if (refusal != null) {
                    log.error(
                            "the gateway refuses revision {}: {}: {}", revision, refusal.pointer(), refusal.message());
                    return;
                }
            }
            if (System.nanoTime() - deadline > 0) {
                log.error("the gateway does not serve revision {} after {}", revision, SERVING_WAIT);
                return;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    /** Returns how the first admin logs in, when it was made at this start; to be said once. */
    public Optional<String> firstAdmin() {
        return controlPlane.firstAdmin();
    }

    /**
     * Returns one line: where the dashboard and the gateway are, and how to log in. It holds the admin token only when
     * that was generated at this start, and names the file of a generated one; one of the settings is nobody's but the
     * operator's.
     */
    public String readyLine() {
        ControlPlaneSettings settings = controlPlane.settings();
        String host = settings.admin().adminHost().equals("0.0.0.0")
                        || settings.admin().adminHost().equals("::")
                ? "127.0.0.1"
                : settings.admin().adminHost();
        String link = tokenIsNew ? "#token=" + Objects.requireNonNull(settings.adminToken()) : "";
        String way = tokenFile == null
                ? "log in as a user, or with the admin token of the settings"
                : "log in as a user, or with the admin token in " + tokenFile;
        return "Sigma is ready: dashboard %s://%s/%s  gateway %s  (%s)"
                .formatted(
                        settings.admin().tls() ? "https" : "http",
                        Addresses.authority(host, controlPlane.adminPort()),
                        link,
                        gatewayUrls(),
                        way);
    }

    private String gatewayUrls() {
        String urls = controlPlane.revisionLog().current().state().proxyServers().values().stream()
                .filter(ProxyServer::enabled)
                .sorted(Comparator.comparing(ProxyServer::id))
                .map(server ->
                        gateway.missingListeners().containsKey(server.id()) ? url(server) + " (not open)" : url(server))
                .collect(Collectors.joining(" "));
        return urls.isEmpty() ? "without a proxy server yet" : urls;
    }

    private static String url(ProxyServer server) {
        String scheme = server.protocol().name().toLowerCase(Locale.ROOT);
        return "%s://localhost:%d/".formatted(scheme, server.port());
    }

    /**
     * Stops everything in the reverse order; each part within a bound, and a part that fails does not keep the others.
     */
    @Override
    public void close() {
        while (!parts.isEmpty()) {
            Part part = parts.pop();
            try {
                part.closeable.close();
            } catch (Throwable e) {
                log.error("{} could not be stopped properly", part.name, e);
            }
        }
    }

    static <T> T await(Future<T> future, int secondsMax) throws TimeoutException {
        return future.await(secondsMax, TimeUnit.SECONDS);
    }
}

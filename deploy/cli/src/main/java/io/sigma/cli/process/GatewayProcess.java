package io.sigma.cli.process;

import io.sigma.cli.input.ExitCode;
import io.sigma.cli.input.InvalidInput;
import io.sigma.dataplane.Gateway;
import io.sigma.dataplane.Version;
import io.sigma.dataplane.link.BridgeLink;
import io.sigma.dataplane.link.ControlLink;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.settings.OwnIdentity;
import io.sigma.dataplane.takeover.HandOverServer;
import io.sigma.standalone.ProcessSettings;
import io.sigma.standalone.VertxFactory;
import io.sigma.value.Addresses;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gateway in a process of its own. */
public final class GatewayProcess {

    /** Beyond what requests that run are given. */
    private static final int STOP_SECONDS_MAX = 25;

    private static final Logger log = LoggerFactory.getLogger(GatewayProcess.class);

    private static final int OPTIONS_BYTES_MAX = 1 << 20;

    private GatewayProcess() {}

    /** Runs a gateway until it is told to stop, with the parameters of {@link #start}; returns the exit code. */
    static int run(
            ProcessSettings given, @Nullable Path config, @Nullable Path options, boolean takesOver, PrintWriter out)
            throws Exception {
        return UntilStopped.run(given.gateway().stop().millis(), () -> start(given, config, options, takesOver, out));
    }

    /**
     * Starts a gateway; blocks.
     *
     * @param config the sigma.json file to serve, or null to be told by the settings
     * @param options a file of Vert.x options, or null
     * @param takesOver whether it takes the place of the process that serves with the same data directory
     */
    static AutoCloseable start(
            ProcessSettings given, @Nullable Path config, @Nullable Path options, boolean takesOver, PrintWriter out)
            throws Exception {
        GatewaySettings settings =
                (config == null ? given : given.with("configFile", config.toAbsolutePath())).gateway();
        if (settings.files().configFile() == null
                && settings.link().controlPlanes().isEmpty()) {
            throw new InvalidInput(
                    "a gateway needs a configuration (expected: --config FILE, or SIGMA_CONTROL_PLANES as "
                            + "host[:port],…)");
        }
        Vertx vertx = vertx(settings, options);
        Cleanup cleanup = new Cleanup().add(() -> vertx.close().await(STOP_SECONDS_MAX, TimeUnit.SECONDS));
        try {
            ControlLink link =
                    settings.files().configFile() == null ? BridgeLink.of(settings, OwnIdentity.id(settings)) : null;
            Gateway gateway = (takesOver
                            ? Gateway.takeOver(vertx, settings, link)
                            : Gateway.start(vertx, settings, link))
                    .await();
            long closeMillisMax = settings.stop().millis() + TimeUnit.SECONDS.toMillis(STOP_SECONDS_MAX);
            cleanup.add(() -> gateway.close().await(closeMillisMax, TimeUnit.MILLISECONDS));
            HandOverServer successor = awaitSuccessor(gateway, settings, takesOver);
            if (successor != null) {
                cleanup.add(successor);
            }
            out.printf(
                    "Sigma is ready: metrics and health http://%s/%n",
                    Addresses.authority(settings.telemetry().telemetryHost(), gateway.telemetryPort()));
            gateway.missingListeners()
                    .forEach((id, why) ->
                            out.printf("Proxy server %s is not open and is tried again: %s%n", id, why.detail()));
            return cleanup;
        } catch (Throwable e) {
            cleanup.close();
            throw e;
        }
    }

    /** A gateway whose place no other process can take serves all the same. */
    private static @Nullable HandOverServer awaitSuccessor(
            Gateway gateway, GatewaySettings settings, boolean takesOver) {
        try {
            HandOverServer server = HandOverServer.open(
                    settings.dataDir(),
                    gateway.handOver(settings),
                    Version.text(),
                    takesOver,
                    // Ends as after a signal: the connections that are left have their time.
                    () -> System.exit(ExitCode.DONE));
            if (server == null) {
                log.warn(
                        "Another gateway already uses {}: --takeover would replace that gateway, not this one",
                        settings.dataDir());
            }
            return server;
        } catch (RuntimeException | LinkageError e) {
            log.warn("No other process can take the place of this one: {}", e.getMessage());
            return null;
        }
    }

    private static Vertx vertx(GatewaySettings settings, @Nullable Path options) throws IOException {
        try {
            return VertxFactory.forGateway(settings, options == null ? null : read(options));
        } catch (IllegalArgumentException e) {
            throw new InvalidInput((options == null ? "" : options + ": ") + e.getMessage());
        }
    }

    private static JsonObject read(Path file) throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new InvalidInput(file + ": cannot be read (expected: a JSON file of Vert.x options)");
        }
        if (Files.size(file) > OPTIONS_BYTES_MAX) {
            throw new InvalidInput(
                    "%s: %d bytes (expected: at most %d)".formatted(file, Files.size(file), OPTIONS_BYTES_MAX));
        }
        try {
            return new JsonObject(Files.readString(file));
        } catch (DecodeException e) {
            throw new InvalidInput(file + ": " + e.getMessage());
        }
    }
}

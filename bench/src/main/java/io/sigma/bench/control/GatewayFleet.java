package io.sigma.bench.control;

import io.sigma.dataplane.Gateway;
import io.sigma.dataplane.link.BridgeLink;
import io.sigma.dataplane.link.GatewayIdentity;
import io.sigma.dataplane.link.SnapshotClient;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.settings.SettingsReader;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process of many gateways, each with its own connection, certificate and folder. It says on its standard output when
 * all of them serve a revision; it ends with its standard input.
 *
 * <p>Arguments: {@code real} or {@code simulated}, how many, the cluster port, the folder. A simulated gateway speaks
 * the protocol, applies what changed and checks the hash, but has no data plane behind it.
 */
public final class GatewayFleet {

    static final String JOIN_TOKEN = "join-token-of-the-benchmark";

    /** The line that the process prints. */
    static final String SERVED = "served";

    private static final long PATIENCE_SECONDS = 120;
    private static final long PAUSE_MILLIS = 2;

    private GatewayFleet() {}

    public static void main(String[] arguments) throws Exception {
        boolean real = arguments[0].equals("real");
        int count = Integer.parseInt(arguments[1]);
        Path dir = Path.of(arguments[3]);
        SnapshotTarget first = start(real, 0, arguments[2], dir, Snapshot.NONE);
        await(first);
        for (int i = 1; i < count; i++) {
            SnapshotTarget next = start(real, i, arguments[2], dir, first.current());
            if (real) {
                await(next);
            }
        }
        System.out.println(SERVED);
        while (System.in.read() >= 0) {
            // Whoever started this process ends it.
        }
        Runtime.getRuntime().halt(0);
    }

    private static void await(SnapshotTarget target) throws InterruptedException {
        long began = System.nanoTime();
        while (target.current().revision() == 0) {
            if (System.nanoTime() - began > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new IllegalStateException("no revision within " + PATIENCE_SECONDS + " s");
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static SnapshotTarget start(boolean real, int number, String clusterPort, Path dir, Snapshot known)
            throws Exception {
        String id = "gateway-" + number;
        Map<String, String> variables = new HashMap<>();
        variables.put("SIGMA_GATEWAY_ID", id);
        variables.put("SIGMA_CONTROL_PLANES", "127.0.0.1:" + clusterPort);
        variables.put("SIGMA_JOIN_TOKEN", JOIN_TOKEN);
        variables.put("SIGMA_DATA_DIR", dir.resolve(id).toString());
        variables.put("SIGMA_TELEMETRY_PORT", "0");
        variables.put("SIGMA_EVENT_LOOPS", "1");
        variables.put("SIGMA_ACCESS_LOG", "off");
        variables.put("SIGMA_STOP_DELAY_MILLIS", "0");
        variables.put("SIGMA_WARM_UP_MILLIS", "0");
        // They share the machine, so each listens on a loopback address of its own.
        variables.put("SIGMA_LISTEN_HOST", "127.0.2." + (number + 1));
        GatewaySettings settings = SettingsReader.of(variables, null).read(GatewaySettings.class);
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(2)
                .setWorkerPoolSize(2));
        BridgeLink link = BridgeLink.of(settings, id);
        if (real) {
            return Gateway.start(vertx, settings, link)
                    .await(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .snapshotTarget();
        }
        SimulatedTarget target = new SimulatedTarget(known);
        SnapshotClient.start(vertx, link, target, new GatewayIdentity(id, "benchmark", "1.0", Instant.now()));
        return target;
    }
}

package io.sigma.standalone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** The settings of a Sigma that a test starts. */
public final class StandaloneSettings {

    private StandaloneSettings() {}

    /** Returns settings with which nothing but the admin API listens on a port that is known before. */
    public static ProcessSettings of(Path dataDir, int adminPort) {
        return ProcessSettings.of(
                Map.of(
                        "SIGMA_DATA_DIR",
                        dataDir.toString(),
                        "SIGMA_ADMIN_PORT",
                        Integer.toString(adminPort),
                        "SIGMA_CLUSTER_PORT",
                        "0",
                        "SIGMA_TELEMETRY_PORT",
                        "0",
                        "SIGMA_STOP_DELAY_MILLIS",
                        "0",
                        "SIGMA_WARM_UP_MILLIS",
                        "0"),
                null);
    }

    /**
     * Returns a port that is free and stays so until it is bound: systems take no port below 32768 for connections that
     * are opened.
     */
    public static int freePort() {
        for (int tries = 0; tries < 100; tries++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // Somebody listens there.
            }
        }
        throw new IllegalStateException("no free port between 20000 and 32000");
    }
}

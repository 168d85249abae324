package io.sigma.e2e;

import io.sigma.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Two control planes, two gateways and their PostgreSQL, each a process of its own. The gateways share the machine, so
 * each listens on a loopback address of its own.
 */
public final class Plant implements AutoCloseable {

    static final String ADMIN_TOKEN = "end-to-end-admin-token";
    private static final String JOIN_TOKEN = "end-to-end-join-token";
    private static final String SECRET_KEY = "end-to-end-secret-key";

    private final Path folder;
    final List<ControlPlane> controlPlanes;
    final List<Gateway> gateways;
    volatile EmbeddedPostgres postgres;

    /** The connections from gateways to control planes. */
    interface Wiring {
        /** The ports themselves. */
        Wiring DIRECT = (gatewayId, clusterPort) -> clusterPort;

        /**
         * Returns the port of 127.0.0.1 at which {@code gatewayId} finds the control plane whose cluster port is
         * {@code clusterPort}.
         */
        int port(String gatewayId, int clusterPort);
    }

    /** A control plane that can be killed and started again. */
    static final class ControlPlane {
        final Admin admin;
        final SigmaProcess.Command command;
        volatile SigmaProcess process;

        ControlPlane(Admin admin, SigmaProcess.Command command) {
            this.admin = admin;
            this.command = command;
            this.process = command.start();
        }

        void restart() {
            process = command.start();
        }
    }

    /** A gateway that can be killed and started again. */
    public static final class Gateway {
        final String id;
        final String address;
        final int telemetryPort;
        final SigmaProcess.Command command;
        volatile SigmaProcess process;

        Gateway(String id, String address, int telemetryPort, SigmaProcess.Command command) {
            this.id = id;
            this.address = address;
            this.telemetryPort = telemetryPort;
            this.command = command;
            this.process = command.start();
        }

        /** Returns the revision that it serves by its own word; -1 while it says nothing. */
        long revision() {
            return (long) metric("sigma_config_revision");
        }

        /** Returns the value of a metric without labels; -1 while there is none. */
        double metric(String name) {
            try {
                return Http.get("http://127.0.0.1:" + telemetryPort + "/metrics")
                        .body()
                        .lines()
                        .filter(line -> line.startsWith(name + " "))
                        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                        .findFirst()
                        .orElse(-1);
            } catch (UncheckedIOException e) {
                return -1;
            }
        }

        String url(int port, String path) {
            return "http://" + address + ":" + port + path;
        }

        boolean isReady() {
            return Http.isOk("http://127.0.0.1:" + telemetryPort + "/health/ready");
        }

        void restart() {
            process = command.start();
        }
    }

    private Plant(Path folder, EmbeddedPostgres postgres, List<ControlPlane> controlPlanes, List<Gateway> gateways) {
        this.folder = folder;
        this.postgres = postgres;
        this.controlPlanes = controlPlanes;
        this.gateways = gateways;
    }

    /** Returns the admin API of the first control plane. */
    public Admin admin() {
        return controlPlanes.getFirst().admin;
    }

    public List<Gateway> gateways() {
        return gateways;
    }

    /** Returns once both control planes answer and know both gateways. */
    public static Plant start(Path folder) throws IOException {
        return start(folder, Wiring.DIRECT, command -> {});
    }

    /**
     * As {@link #start(Path)}.
     *
     * @param adjust changes how each process is started
     */
    static Plant start(Path folder, Wiring wiring, Consumer<SigmaProcess.Command> adjust) throws IOException {
        EmbeddedPostgres postgres = EmbeddedPostgres.start(folder.resolve("database"), binaries());
        int[] ports = Ports.free(6);
        List<ControlPlane> controlPlanes = List.of(
                controlPlane(folder, "control-plane-1", ports[0], ports[1], postgres, adjust),
                controlPlane(folder, "control-plane-2", ports[2], ports[3], postgres, adjust));
        List<Gateway> gateways = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String id = "gateway-" + (i + 1);
            String addresses = "127.0.0.1:" + wiring.port(id, ports[1]) + ",127.0.0.1:" + wiring.port(id, ports[3]);
            gateways.add(gateway(folder, id, "127.0.0.1" + (i + 1), ports[4 + i], addresses, adjust));
        }
        Plant plant = new Plant(folder, postgres, controlPlanes, List.copyOf(gateways));
        try {
            plant.awaitConverged();
            return plant;
        } catch (RuntimeException | AssertionError e) {
            plant.close();
            throw e;
        }
    }

    /**
     * Returns where the programs of PostgreSQL are extracted: extracting takes longer than starting, so tests share
     * them.
     */
    private static Path binaries() {
        return SigmaProcess.logs().resolveSibling("postgres");
    }

    private static ControlPlane controlPlane(
            Path folder,
            String id,
            int adminPort,
            int clusterPort,
            EmbeddedPostgres postgres,
            Consumer<SigmaProcess.Command> adjust) {
        SigmaProcess.Command command = SigmaProcess.command(id, "control-plane")
                .with("SIGMA_ADMIN_PORT", adminPort)
                .with("SIGMA_CLUSTER_PORT", clusterPort)
                .with("SIGMA_DATABASE_URL", postgres.url())
                .with("SIGMA_ADMIN_TOKEN", ADMIN_TOKEN)
                .with("SIGMA_JOIN_TOKEN", JOIN_TOKEN)
                .with("SIGMA_SECRET_KEY", SECRET_KEY)
                .with("SIGMA_CONTROL_PLANE_ID", id)
                .with("SIGMA_DATA_DIR", folder.resolve(id));
        adjust.accept(command);
        return new ControlPlane(new Admin(adminPort, ADMIN_TOKEN), command);
    }

    private static Gateway gateway(
            Path folder,
            String id,
            String address,
            int telemetryPort,
            String controlPlanes,
            Consumer<SigmaProcess.Command> adjust) {
        SigmaProcess.Command command = SigmaProcess.command(id, "gateway")
                .with("SIGMA_CONTROL_PLANES", controlPlanes)
                .with("SIGMA_JOIN_TOKEN", JOIN_TOKEN)
                .with("SIGMA_GATEWAY_ID", id)
                .with("SIGMA_LISTEN_HOST", address)
                .with("SIGMA_TELEMETRY_PORT", telemetryPort)
                .with("SIGMA_ACCESS_LOG", "off")
                .with("SIGMA_STOP_DELAY_MILLIS", 0)
                .with("SIGMA_WARM_UP_MILLIS", 0)
                .with("SIGMA_DATA_DIR", folder.resolve(id));
        adjust.accept(command);
        return new Gateway(id, address, telemetryPort, command);
    }

    /** Returns the data directory of the process {@code id} of a plant in {@code folder}. */
    static Path dataDir(Path folder, String id) {
        return folder.resolve(id);
    }

    /** Ends the database as {@code kill -9} does; returns once it runs again. */
    void killDatabase() {
        long victim = postgres.pid();
        ProcessHandle.of(victim).orElseThrow().destroyForcibly();
        Await.until("PostgreSQL runs again", () -> postgres.pid() != victim);
    }

    /** Returns the data of the database, which must be stopped where they are copied or replaced. */
    Path databaseFiles() {
        return folder.resolve("database").resolve("postgres").resolve("data");
    }

    void stopDatabase() {
        postgres.close();
    }

    /** Starts the database at the port that it had. */
    void startDatabase() throws IOException {
        postgres = EmbeddedPostgres.start(folder.resolve("database"), binaries());
    }

    /**
     * Returns once both control planes show both gateways at the newest revision, and both gateways are ready if there
     * is anything to serve.
     */
    public void awaitConverged() {
        for (ControlPlane controlPlane : controlPlanes) {
            Admin admin = controlPlane.admin;
            Await.until(controlPlane.process + " is up", admin::isUp);
            for (Gateway gateway : gateways) {
                Await.until(
                        gateway.process + " is current in the eyes of " + controlPlane.process,
                        () -> admin.get("/gateways/" + gateway.id)
                                        .path("state")
                                        .asText()
                                        .equals("CURRENT")
                                && admin.get("/gateways/" + gateway.id)
                                                .path("revision")
                                                .asLong()
                                        == admin.revision());
            }
        }
        if (admin().revision() > 0) {
            gateways.forEach(gateway -> Await.until(gateway.process + " is ready", gateway::isReady));
        }
    }

    @Override
    public void close() {
        gateways.forEach(gateway -> gateway.process.close());
        controlPlanes.forEach(controlPlane -> controlPlane.process.close());
        postgres.close();
    }
}

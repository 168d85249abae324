package io.sigma.e2e;

import io.sigma.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Two control planes, two gateways and their PostgreSQL, each a process of its own. The gateways share the machine, so
 * each listens on a loopback address of its own.
 */
public final class Plant implements AutoCloseable {

    static final String ADMIN_TOKEN = "end-to-end-admin-token";
    private static final String JOIN_TOKEN = "end-to-end-join-token";
    private static final String SECRET_KEY = "end-to-end-secret-key";

    final EmbeddedPostgres postgres;
    final List<ControlPlane> controlPlanes;
    final List<Gateway> gateways;

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

    private Plant(EmbeddedPostgres postgres, List<ControlPlane> controlPlanes, List<Gateway> gateways) {
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
        EmbeddedPostgres postgres = EmbeddedPostgres.start(folder.resolve("database"));
        int[] ports = Ports.free(6);
        List<ControlPlane> controlPlanes = List.of(
                controlPlane(folder, "control-plane-1", ports[0], ports[1], postgres),
                controlPlane(folder, "control-plane-2", ports[2], ports[3], postgres));
        String addresses = "127.0.0.1:" + ports[1] + ",127.0.0.1:" + ports[3];
        List<Gateway> gateways = List.of(
                gateway(folder, "gateway-1", "127.0.0.11", ports[4], addresses),
                gateway(folder, "gateway-2", "127.0.0.12", ports[5], addresses));
        Plant plant = new Plant(postgres, controlPlanes, gateways);
        try {
            plant.awaitConverged();
            return plant;
        } catch (RuntimeException | AssertionError e) {
            plant.close();
            throw e;
        }
    }

    private static ControlPlane controlPlane(
            Path folder, String id, int adminPort, int clusterPort, EmbeddedPostgres postgres) {
        return new ControlPlane(
                new Admin(adminPort, ADMIN_TOKEN),
                SigmaProcess.command(id, "control-plane")
                        .with("SIGMA_ADMIN_PORT", adminPort)
                        .with("SIGMA_CLUSTER_PORT", clusterPort)
                        .with("SIGMA_DATABASE_URL", postgres.url())
                        .with("SIGMA_ADMIN_TOKEN", ADMIN_TOKEN)
                        .with("SIGMA_JOIN_TOKEN", JOIN_TOKEN)
                        .with("SIGMA_SECRET_KEY", SECRET_KEY)
                        .with("SIGMA_CONTROL_PLANE_ID", id)
                        .with("SIGMA_DATA_DIR", folder.resolve(id)));
    }

    private static Gateway gateway(Path folder, String id, String address, int telemetryPort, String controlPlanes) {
        return new Gateway(
                id,
                address,
                telemetryPort,
                SigmaProcess.command(id, "gateway")
                        .with("SIGMA_CONTROL_PLANES", controlPlanes)
                        .with("SIGMA_JOIN_TOKEN", JOIN_TOKEN)
                        .with("SIGMA_GATEWAY_ID", id)
                        .with("SIGMA_LISTEN_HOST", address)
                        .with("SIGMA_TELEMETRY_PORT", telemetryPort)
                        .with("SIGMA_ACCESS_LOG", "off")
                        .with("SIGMA_STOP_DELAY_MILLIS", 0)
                        .with("SIGMA_DATA_DIR", folder.resolve(id)));
    }

    /**
     * Returns once both control planes show both gateways at the newest revision, and both gateways are ready if there is
     * anything to serve.
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

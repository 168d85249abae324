package io.sigma.e2e.takeover;

import io.sigma.e2e.Admin;
import io.sigma.e2e.Await;
import io.sigma.e2e.Ports;
import io.sigma.e2e.SigmaProcess;
import io.sigma.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;

/** A control plane that configures the gateway: a file has no proxy servers of TCP. */
final class Configuring implements AutoCloseable {

    private static final String ADMIN_TOKEN = "takeover-admin-token";
    private static final String JOIN_TOKEN = "takeover-join-token";

    private final EmbeddedPostgres postgres;
    private final SigmaProcess process;
    private final Admin admin;
    private final int clusterPort;

    private Configuring(EmbeddedPostgres postgres, SigmaProcess process, Admin admin, int clusterPort) {
        this.postgres = postgres;
        this.process = process;
        this.admin = admin;
        this.clusterPort = clusterPort;
    }

    static Configuring start(Path folder) throws IOException {
        int[] ports = Ports.free(2);
        EmbeddedPostgres postgres = EmbeddedPostgres.start(
                folder.resolve("database"), SigmaProcess.logs().resolveSibling("postgres"));
        SigmaProcess process = SigmaProcess.command("takeover-control-plane", "control-plane")
                .with("SIGMA_ADMIN_PORT", ports[0])
                .with("SIGMA_CLUSTER_PORT", ports[1])
                .with("SIGMA_DATABASE_URL", postgres.url())
                .with("SIGMA_ADMIN_TOKEN", ADMIN_TOKEN)
                .with("SIGMA_JOIN_TOKEN", JOIN_TOKEN)
                .with("SIGMA_SECRET_KEY", "takeover-secret-key")
                .with("SIGMA_DATA_DIR", folder.resolve("control-plane"))
                .start();
        Configuring started = new Configuring(postgres, process, new Admin(ports[0], ADMIN_TOKEN), ports[1]);
        Await.until(process + " is up", started.admin::isUp);
        return started;
    }

    Admin admin() {
        return admin;
    }

    /** Lets {@code gateway} follow it. */
    void configure(SigmaProcess.Command gateway) {
        gateway.with("SIGMA_CONTROL_PLANES", "127.0.0.1:" + clusterPort)
                .with("SIGMA_JOIN_TOKEN", JOIN_TOKEN)
                .with("SIGMA_GATEWAY_ID", "gateway");
    }

    /** Ends as by {@code kill -9}; not started again. */
    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
        postgres.close();
    }
}

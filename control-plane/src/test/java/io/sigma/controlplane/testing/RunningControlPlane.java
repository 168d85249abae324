package io.sigma.controlplane.testing;

import io.sigma.controlplane.ControlPlane;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A control plane in a Vertx of its own, with a client; closing it closes all three. */
public final class RunningControlPlane implements AutoCloseable {

    private final Vertx vertx = Vertx.vertx();
    private final ControlPlane controlPlane;
    private final AdminClient client;

    private RunningControlPlane(ControlPlaneSettings settings) throws TimeoutException {
        try {
            this.controlPlane = ControlPlane.start(vertx, settings).await(60, TimeUnit.SECONDS);
        } catch (RuntimeException | TimeoutException e) {
            vertx.close().await(60, TimeUnit.SECONDS);
            throw e;
        }
        this.client = new AdminClient(controlPlane.adminPort());
    }

    public static RunningControlPlane start(ControlPlaneSettings settings) throws TimeoutException {
        return new RunningControlPlane(settings);
    }

    public ControlPlane controlPlane() {
        return controlPlane;
    }

    public AdminClient client() {
        return client;
    }

    @Override
    public void close() throws TimeoutException {
        client.close();
        controlPlane.close().await(60, TimeUnit.SECONDS);
        vertx.close().await(60, TimeUnit.SECONDS);
    }
}

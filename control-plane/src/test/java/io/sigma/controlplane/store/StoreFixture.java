package io.sigma.controlplane.store;

import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.model.Kind;
import io.sigma.model.ProxyServer;
import io.sigma.model.Router;
import io.sigma.snapshot.EntityChange;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A store in a Vertx of its own. */
final class StoreFixture implements AutoCloseable {

    private final Vertx vertx = Vertx.vertx();
    private final Store store;

    private StoreFixture(ControlPlaneSettings settings, boolean listen) throws InterruptedException {
        this.store = Store.open(vertx, settings, listen);
    }

    static StoreFixture listening(ControlPlaneSettings settings) throws InterruptedException {
        return new StoreFixture(settings, true);
    }

    /** A store whose notifications are all lost. */
    static StoreFixture deaf(ControlPlaneSettings settings) throws InterruptedException {
        return new StoreFixture(settings, false);
    }

    Store store() {
        return store;
    }

    CommitResult write(EntityChange... changes) {
        return store.writer().write(new WriteRequest("test", null, "local", "test"), reader -> List.of(changes));
    }

    static EntityChange server(String id, int port) {
        ProxyServer server = ProxyServer.builder().id(id).port(port).build();
        return new EntityChange(Kind.PROXY_SERVER, id, server);
    }

    static EntityChange router(String id, String serverId) {
        Router router = Router.builder().id(id).proxyServerId(serverId).build();
        return new EntityChange(Kind.ROUTER, id, router);
    }

    static EntityChange gone(Kind kind, String id) {
        return new EntityChange(kind, id, null);
    }

    @Override
    public void close() throws TimeoutException {
        store.close().await(30, TimeUnit.SECONDS);
        vertx.close().await(30, TimeUnit.SECONDS);
    }
}

package io.sigma.inprocess.testkit;

import static io.sigma.inprocess.testkit.Waiting.await;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A TCP relay that can stop to pass on bytes without closing anything, as a peer that hangs. */
public final class FreezingRelay implements AutoCloseable {

    private final NetServer server;
    private final NetClient client;
    private final List<NetSocket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean frozen;

    private FreezingRelay(Vertx vertx, int port) throws Exception {
        client = vertx.createNetClient();
        server = await(vertx.createNetServer()
                .connectHandler(from -> {
                    from.pause();
                    client.connect(port, "127.0.0.1").onSuccess(to -> join(from, to));
                })
                .listen(0, "127.0.0.1"));
    }

    public static FreezingRelay to(Vertx vertx, int port) throws Exception {
        return new FreezingRelay(vertx, port);
    }

    public int port() {
        return server.actualPort();
    }

    private void join(NetSocket from, NetSocket to) {
        sockets.add(from);
        sockets.add(to);
        from.handler(to::write).closeHandler(v -> to.close());
        to.handler(from::write).closeHandler(v -> from.close());
        if (!frozen) {
            from.resume();
        } else {
            to.pause();
        }
    }

    /** Passes on nothing any more. */
    public void freeze() {
        frozen = true;
        sockets.forEach(NetSocket::pause);
    }

    /** Passes on what new connections bring; the old ones stay frozen. */
    public void thawNew() {
        frozen = false;
    }

    @Override
    public void close() throws IOException {
        Waiting.awaitClosed(server.close());
        Waiting.awaitClosed(client.close());
    }
}

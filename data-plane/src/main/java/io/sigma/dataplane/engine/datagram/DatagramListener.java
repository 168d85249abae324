package io.sigma.dataplane.engine.datagram;

import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.model.ProxyServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** A listener of datagrams: a {@link SocketListener} on each socket of its address. Thread-safe. */
final class DatagramListener implements ListenerHandle {

    private final DatagramSockets sockets;
    private final DatagramSockets.Shared shared;
    private final List<SocketListener> listeners;
    private final AtomicBoolean released = new AtomicBoolean();

    DatagramListener(DatagramSockets sockets, DatagramSockets.Shared shared, List<SocketListener> listeners) {
        this.sockets = sockets;
        this.shared = shared;
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public Future<Void> changeTls(ProxyServer source, TlsMaterial tls) {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> close(long drainMillis) {
        return close(drainMillis, false);
    }

    /** The socket stays open as long as a session may have to be answered. */
    private Future<Void> close(long drainMillis, boolean retired) {
        return Future.join(listeners.stream()
                        .map(listener -> on(listener, () -> listener.close(drainMillis, retired)))
                        .toList())
                .transform(ignored ->
                        released.compareAndSet(false, true) ? sockets.release(shared) : Future.succeededFuture());
    }

    @Override
    public Future<Void> retire(long drainMillis) {
        sockets.retire(shared);
        return close(drainMillis, true);
    }

    private static Future<Void> on(SocketListener listener, Supplier<Future<Void>> task) {
        Promise<Void> done = Promise.promise();
        listener.port().loop().later(() -> task.get().onComplete(done));
        return done.future();
    }
}

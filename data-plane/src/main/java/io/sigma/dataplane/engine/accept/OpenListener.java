package io.sigma.dataplane.engine.accept;

import io.sigma.check.StreamCheck;
import io.sigma.dataplane.engine.ListenerBinding;
import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.dataplane.engine.tls.ListenerTls;
import io.sigma.model.ProxyServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A listener: on each event loop a {@link LoopListener}, all at one address. Thread-safe. */
final class OpenListener implements ListenerHandle {

    private final ListeningSockets sockets;
    private final String host;
    private final int port;
    private final @Nullable ListenerTls tls;
    private final List<LoopListener> open = new ArrayList<>();
    /** True once the address is released. A second close must not release the address of another listener. */
    private final AtomicBoolean released = new AtomicBoolean();

    private OpenListener(ListeningSockets sockets, ProxyServer source, @Nullable ListenerTls tls) {
        this.sockets = sockets;
        this.host = source.host();
        this.port = source.port();
        this.tls = tls;
    }

    /**
     * Opens a listener on all loops of {@code sockets}.
     *
     * @param source names the address, which may not be that of the binding yet
     * @param tls the TLS of its connections; null for plaintext
     * @return fails when the address cannot be bound; nothing is open then
     */
    static Future<OpenListener> open(
            ListeningSockets sockets,
            ProxyServer source,
            @Nullable ListenerTls tls,
            ListenerBinding binding,
            ListenerProtocol protocol) {
        return new OpenListener(sockets, source, tls).open(binding, protocol);
    }

    private Future<OpenListener> open(ListenerBinding binding, ListenerProtocol protocol) {
        String address = ListeningSockets.address(host, port);
        List<Future<Void>> added = new ArrayList<>();
        for (TrafficLoop loop : sockets.loops()) {
            LoopListener listener = new LoopListener(loop, binding, protocol, tls);
            open.add(listener);
            added.add(on(loop, () -> loop.listeners().add(address, listener)));
        }
        // All of them before the first connection, which any of them may get.
        return Future.join(added)
                .compose(ignored -> sockets.claim(host, port))
                .map(this)
                .recover(cause -> {
                    released.set(true);
                    return close(0).transform(ignored -> Future.failedFuture(cause));
                });
    }

    private static Future<Void> on(TrafficLoop loop, Runnable task) {
        Promise<Void> done = Promise.promise();
        loop.context().runOnContext(ignored -> {
            task.run();
            done.complete();
        });
        return done.future();
    }

    @Override
    public Future<Void> changeTls(ProxyServer next, TlsMaterial material) {
        return tls == null
                ? Future.succeededFuture()
                : tls.change(material, StreamCheck.isStream(next) ? null : next.http2());
    }

    @Override
    public List<byte[]> ticketKeys() {
        return tls == null ? List.of() : tls.ticketKeys();
    }

    @Override
    public void ticketKeys(List<byte[]> keys) {
        if (tls != null) {
            tls.ticketKeys(keys);
        }
    }

    @Override
    public Future<Void> close(long drainMillis) {
        return close(drainMillis, false);
    }

    @Override
    public Future<Void> retire(long drainMillis) {
        return close(drainMillis, true);
    }

    private Future<Void> close(long drainMillis, boolean retire) {
        Future<Void> free =
                released.compareAndSet(false, true) ? sockets.release(host, port) : Future.succeededFuture();
        return free.transform(ignored -> Future.join(open.stream()
                        .map(each -> close(each, drainMillis, retire))
                        .toList())
                .mapEmpty());
    }

    private Future<Void> close(LoopListener closing, long drainMillis, boolean retire) {
        Promise<Void> closed = Promise.promise();
        TrafficLoop loop = closing.loop();
        loop.context().runOnContext(ignored -> {
            loop.listeners().remove(ListeningSockets.address(host, port), closing);
            closing.shutdown(drainMillis, retire).onComplete(closed);
        });
        return closed.future();
    }
}

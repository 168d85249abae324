package io.sigma.dataplane.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.engine.Engine;
import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.NoScheduler;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.dataplane.snapshot.SnapshotApplier;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.watch.WatchedFiles;
import io.sigma.model.Certificate;
import io.sigma.model.Kind;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Open listeners are known, however the opening and the waiting thread interleave. */
final class ListenersTest {

    private static final int TIMES = 4_000;
    /** How long opening takes, at most: it shall end at any point of what is chained to it. */
    private static final int DELAY_NANOS_MAX = 20_000;

    private static final int WAIT_SECONDS = 30;

    @TempDir
    Path dataDir;

    private final AtomicInteger open = new AtomicInteger();

    private final class Counted implements ListenerHandle {

        @Override
        public Future<Void> changeTls(ProxyServer source, TlsMaterial tls) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> close(long drainMillis) {
            open.decrementAndGet();
            return Future.succeededFuture();
        }
    }

    /** An event loop that is always awake, so that what it does ends at a chosen moment. */
    private final class Opener implements Runnable {

        private final AtomicReference<@Nullable Promise<ListenerHandle>> asked = new AtomicReference<>();
        private volatile boolean ended;
        private volatile long delayNanos;

        @Override
        public void run() {
            while (!ended) {
                Promise<ListenerHandle> opening = asked.getAndSet(null);
                if (opening != null) {
                    long until = System.nanoTime() + delayNanos;
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                    open.incrementAndGet();
                    opening.complete(new Counted());
                }
            }
        }

        Engine engine() {
            return (Engine) Proxy.newProxyInstance(
                    Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, (self, method, arguments) -> {
                        if (method.getName().equals("check")) {
                            return null;
                        }
                        assertThat(method.getName()).isEqualTo("open");
                        Promise<ListenerHandle> opening = Promise.promise();
                        asked.set(opening);
                        return opening.future();
                    });
        }
    }

    private static ServerBinding noBinding() {
        return (ServerBinding) Proxy.newProxyInstance(
                ServerBinding.class.getClassLoader(),
                new Class<?>[] {ServerBinding.class},
                (self, method, arguments) -> {
                    throw new AssertionError("nobody connects");
                });
    }

    private static RuntimeSnapshot snapshot() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        ProxyServer server =
                ProxyServer.builder().id("web").host("127.0.0.1").port(free).build();
        return snapshot(ConfigState.empty().with(List.of(new EntityChange(Kind.PROXY_SERVER, "web", server))));
    }

    private static RuntimeSnapshot snapshot(ConfigState state) throws Exception {
        ActiveSnapshot active = new ActiveSnapshot();
        try (SnapshotApplier applier = SnapshotApplier.of(
                (endpoint, loop, connected, failed) -> failed.accept(new AssertionError("nobody connects")),
                List.of(new Loop(0, new NoScheduler())),
                new GatewayMetrics(1, 1),
                FilterServices.NONE,
                active,
                next -> Future.succeededFuture(() -> {}))) {
            applier.apply(Snapshot.of(1, state)).await(WAIT_SECONDS, TimeUnit.SECONDS);
        }
        return active.current();
    }

    @Test
    void whatIsOpenIsNotOpenedAgainAndIsClosed() throws Exception {
        RuntimeSnapshot served = snapshot();
        Opener loop = new Opener();
        Thread thread = Thread.ofPlatform().daemon().start(loop);
        try {
            for (int i = 0; i < TIMES; i++) {
                loop.delayNanos = (long) i * DELAY_NANOS_MAX / TIMES;
                Listeners listeners = new Listeners(
                        loop.engine(),
                        server -> noBinding(),
                        0,
                        null,
                        FilterServices.NONE.files(),
                        FilterServices.NONE.disk());
                for (RuntimeSnapshot next : List.of(served, served)) {
                    listeners
                            .prepare(next)
                            .await(WAIT_SECONDS, TimeUnit.SECONDS)
                            .keep();
                    assertThat(open).hasValue(1);
                }
                listeners
                        .prepare(RuntimeSnapshot.none())
                        .await(WAIT_SECONDS, TimeUnit.SECONDS)
                        .keep();
                assertThat(open).hasValue(0);
            }
        } finally {
            loop.ended = true;
            thread.join();
        }
    }

    /** Opens at once, what it may. */
    private Engine engine(Predicate<@Nullable TlsMaterial> opens) {
        return (Engine) Proxy.newProxyInstance(
                Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, (self, method, arguments) -> {
                    if (method.getName().equals("check")) {
                        return null;
                    }
                    if (!opens.test((TlsMaterial) arguments[1])) {
                        return Future.failedFuture(new BindException("taken"));
                    }
                    open.incrementAndGet();
                    return Future.succeededFuture(new Counted());
                });
    }

    private static Listeners listeners(Engine engine, WatchedFiles files) {
        return new Listeners(engine, server -> noBinding(), 0, null, files, FilterServices.NONE.disk());
    }

    private static ProxyServer.Builder web() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return ProxyServer.builder().id("web").host("127.0.0.1").port(socket.getLocalPort());
        }
    }

    private static RuntimeSnapshot snapshot(ProxyServer server, Certificate certificate) throws Exception {
        return snapshot(ConfigState.empty()
                .with(List.of(
                        new EntityChange(Kind.CERTIFICATE, "c", certificate),
                        new EntityChange(Kind.PROXY_SERVER, "web", server))));
    }

    private static void keep(Listeners listeners, RuntimeSnapshot next) throws Exception {
        listeners.prepare(next).await(WAIT_SECONDS, TimeUnit.SECONDS).keep();
    }

    @Test
    void whatIsOpenStaysWhenWhatIsToTakeItsAddressCannotBeOpened() throws Exception {
        Certificate certificate = TestTls.create("web").resource("c");
        ProxyServer.Builder web = web();
        RuntimeSnapshot plain = snapshot(web.build(), certificate);
        RuntimeSnapshot encrypted = snapshot(
                web.protocol(Protocol.HTTPS)
                        .tls(ServerTls.builder().certificates(List.of("c")).build())
                        .build(),
                certificate);
        Listeners listeners = listeners(engine(Objects::isNull), FilterServices.NONE.files());
        keep(listeners, plain);
        assertThatThrownBy(() -> keep(listeners, encrypted)).isInstanceOf(SnapshotRefused.class);
        assertThat(open).hasValue(1);
        assertThat(listeners.missing()).isEmpty();
        keep(listeners, plain);
        assertThat(open).hasValue(1);
        keep(listeners, RuntimeSnapshot.none());
        assertThat(open).hasValue(0);
    }

    @Test
    void filesOfWhatIsOpenAreLookedAtHoweverManySnapshotsWithoutThemAreTried() throws Exception {
        Path folder = Files.createDirectories(dataDir.resolve("tls"));
        TestTls one = TestTls.create("one");
        one.writeCertificate(folder.resolve("cert.pem"));
        one.writeKey(folder.resolve("key.pem"));
        GatewayDisk disk = GatewayDisk.open(dataDir.resolve("data"), folder);
        try (WatchedFiles files = new WatchedFiles(disk, 20, new LongAdder())) {
            Listeners listeners = new Listeners(engine(tls -> true), server -> noBinding(), 0, null, files, disk);
            RuntimeSnapshot served = snapshot(ConfigState.empty()
                    .with(List.of(new EntityChange(
                            Kind.PROXY_SERVER,
                            "web",
                            web().protocol(Protocol.HTTPS)
                                    .tls(ServerTls.builder()
                                            .certPath(folder.resolve("cert.pem").toString())
                                            .keyPath(folder.resolve("key.pem").toString())
                                            .build())
                                    .build()))));
            keep(listeners, served);
            listeners.check(RuntimeSnapshot.none());
            listeners.check(RuntimeSnapshot.none());
            AtomicInteger heard = new AtomicInteger();
            files.onChange(heard::incrementAndGet);
            System.gc();
            TestTls other = TestTls.create("other");
            other.writeCertificate(folder.resolve("cert.pem"));
            other.writeKey(folder.resolve("key.pem"));
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
            while (heard.get() == 0 && System.nanoTime() < deadline) {
                Thread.sleep(20);
            }
            assertThat(heard).hasPositiveValue();
        }
    }
}

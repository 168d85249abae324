package io.sigma.dataplane.testkit;

import io.sigma.dataplane.Gateway;
import io.sigma.dataplane.LimitedGateway;
import io.sigma.dataplane.engine.uring.TunedIoUring;
import io.sigma.dataplane.link.ControlLink;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.testkit.fault.BusyLoops;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.assertj.core.api.Assertions;

/** A gateway with a Vert.x of its own. */
public final class GatewayHarness implements AutoCloseable {

    private static final List<HttpClientAgent> KEPT = new CopyOnWriteArrayList<>();

    private static final long TIMEOUT_SECONDS = 30;

    private final Vertx vertx;
    private final Gateway gateway;
    private long revision;

    private GatewayHarness(Vertx vertx, Gateway gateway) {
        this.vertx = vertx;
        this.gateway = gateway;
        this.revision = gateway.snapshotTarget().current().revision();
    }

    public static GatewayHarness start(Path dataDir) {
        return start(GatewaySettings.embedded(dataDir));
    }

    public static GatewayHarness start(GatewaySettings settings) {
        return start(vertx -> Gateway.start(vertx, settings));
    }

    /** Starts one that follows the control plane behind {@code link}. */
    public static GatewayHarness start(GatewaySettings settings, ControlLink link) {
        return start(vertx -> Gateway.start(vertx, settings, link));
    }

    /** Starts one that may have so many sockets. */
    public static GatewayHarness start(GatewaySettings settings, SocketBudget sockets) {
        return start(vertx -> LimitedGateway.start(vertx, settings, sockets));
    }

    private static GatewayHarness start(Function<Vertx, Future<Gateway>> starter) {
        Vertx vertx = vertx();
        try {
            return new GatewayHarness(vertx, await(starter.apply(vertx)));
        } catch (RuntimeException | Error e) {
            await(vertx.close());
            throw e;
        }
    }

    /** On NIO, which every machine has; {@code -Dsigma.test.transport=auto} takes io_uring where the machine has it. */
    private static Vertx vertx() {
        Transport transport = switch (System.getProperty("sigma.test.transport", "nio")) {
            case "auto" -> Objects.requireNonNullElse(TunedIoUring.ifAvailable(), Transport.NIO);
            case "epoll" -> Transport.EPOLL;
            default -> Transport.NIO;
        };
        return Vertx.builder()
                .withTransport(transport)
                .with(new VertxOptions()
                        .setAddressResolverOptions(new AddressResolverOptions()
                                .setHostsValue(Buffer.buffer(hosts() + "\n127.0.0.1 my_node stack_my_node\n"))))
                .build();
    }

    private static String hosts() {
        try {
            return Files.readString(Path.of("/etc/hosts"));
        } catch (IOException e) {
            return "127.0.0.1 localhost";
        }
    }

    public Gateway gateway() {
        return gateway;
    }

    public GatewayHarness apply(Config config) {
        await(gateway.snapshotTarget().apply(Snapshot.of(++revision, config.state())));
        return this;
    }

    /** Returns whether the gateway takes {@code config}. */
    public boolean tryApply(Config config) {
        try {
            apply(config);
            return true;
        } catch (SnapshotRefused e) {
            return false;
        }
    }

    public SnapshotRefused refused(Config config) {
        return Assertions.catchThrowableOfType(SnapshotRefused.class, () -> apply(config));
    }

    /** Returns {@code client}, which stays reachable: Vert.x closes the connections of one that nobody refers to. */
    public static HttpClientAgent keep(HttpClientAgent client) {
        KEPT.add(client);
        return client;
    }

    public static <T> T await(Future<T> future) {
        try {
            return future.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("not complete within " + TIMEOUT_SECONDS + " s", e);
        }
    }

    /** Waits until the number does not grow any more, and returns it. */
    public static long settled(AtomicLong taken) {
        long[] last = {-1, System.nanoTime()};
        eventually(() -> {
            long now = taken.get();
            if (now != last[0]) {
                last[0] = now;
                last[1] = System.nanoTime();
            }
            return now > 0 && System.nanoTime() - last[1] > 1_000_000_000L;
        });
        return last[0];
    }

    /** Waits, for a bounded time, until {@code condition} holds. */
    public static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(TIMEOUT_SECONDS).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + TIMEOUT_SECONDS + " s");
            }
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
    }

    /** Returns the value of a metric without labels, as gateways publish it. */
    public double metric(String name) {
        try {
            return RawClient.get(gateway.telemetryPort(), "localhost", "/metrics")
                    .text()
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no metric " + name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Holds the event loops up while {@code what} happens, see {@link BusyLoops}. */
    public void whileLoopsAreBusy(BusyLoops.Events what) throws Exception {
        BusyLoops.during(((VertxInternal) vertx).nettyEventLoopGroup(), what);
    }

    @Override
    public void close() {
        await(gateway.close());
        await(vertx.close());
    }
}

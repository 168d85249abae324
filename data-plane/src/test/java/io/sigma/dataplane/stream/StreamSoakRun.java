package io.sigma.dataplane.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.internal.PlatformDependent;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.Node;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code make soak-tcp}: clients of TCP and TLS that behave at random, beside changes of the configuration. In the end
 * no connection, no held byte and no descriptor is left.
 */
final class StreamSoakRun extends StreamContract {

    private static final long SECONDS = Long.getLong("sigma.soakSeconds", 600);
    private static final long SEED = Long.getLong("sigma.seed", System.nanoTime());
    private static final int CLIENTS = 24;
    private static final long CHANGE_MILLIS = 250;
    private static final int STRANGE_MAX = 20;
    private static final TestTls MAIL = TestTls.create("mail", "mail.example");

    private final int tlsPort = Config.freePort();
    private final int otherPort = Config.freePort();

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir)
                .loops(2)
                .drainMillis(60_000)
                .accessLog(folder.resolve("soak.log").toString(), 4096)
                .build();
    }

    /** Returns the first connections that ended for a reason that no client gave. */
    private List<String> strange() throws IOException {
        try (Stream<String> lines = Files.lines(folder.resolve("soak.log"), StandardCharsets.US_ASCII)) {
            return lines.filter(line -> !line.contains("\"end\":\"complete\"")
                            && !line.contains("\"end\":\"client_reset\"")
                            && !line.contains("\"end\":\"bad_hello\""))
                    .limit(STRANGE_MAX)
                    .toList();
        }
    }

    /**
     * Its clients decide when they have waited for too long. A node that gave up before them would look as if the
     * gateway had cut a connection short: while the machine stands still, both times pass.
     */
    private static SocketNode echo(boolean encrypted) {
        return SocketNode.start(encrypted ? MAIL.context() : null, socket -> {
            socket.setSoTimeout(0);
            socket.getInputStream().transferTo(socket.getOutputStream());
            socket.shutdownOutput();
        });
    }

    private Config config(Random random, String one, String two, String secret) {
        boolean drained = random.nextInt(3) == 0;
        Upstream echoes = Upstream.builder()
                .id("echoes")
                .nodes(List.of(
                        Node.builder().url(one).weight(1 + random.nextInt(5)).build(),
                        Node.builder().url(two).drain(drained).build()))
                .build();
        Config config = new Config()
                .server(server(Protocol.TCP)
                        .limits(limits().streamIdleTimeoutMillis(60_000 + random.nextInt(9) * 1_000)
                                .build())
                        .build())
                .server(server(Protocol.TLS).id("tls").port(tlsPort).build())
                .router(router("all", null, "pass"))
                .router(Router.builder()
                        .id("mail")
                        .proxyServerId("tls")
                        .match(sni("mail.example"))
                        .proxyPassId("to-mail")
                        .build())
                .pass("pass", "echoes")
                .pass("to-mail", "mail")
                .upstream(echoes)
                .upstream("mail", secret);
        if (random.nextBoolean()) {
            config.server(ProxyServer.builder()
                            .id("other")
                            .host("127.0.0.1")
                            .port(otherPort)
                            .protocol(Protocol.TCP)
                            .build())
                    .router(Router.builder()
                            .id("other")
                            .proxyServerId("other")
                            .proxyPassId("pass")
                            .build());
        }
        return config;
    }

    @Test
    void nothingIsLeft() throws Exception {
        System.out.println("seed " + SEED + ", " + SECONDS + " s");
        Random random = new Random(SEED);
        try (SocketNode one = echo(false);
                SocketNode two = echo(false);
                SocketNode secret = echo(true)) {
            gateway().apply(config(random, one.url(), two.url(), secret.url()));
            SoakClients clients =
                    new SoakClients(port(), tlsPort, MAIL.context().getSocketFactory());
            // Buffers that are kept, and threads that are made, are there before it is counted.
            run(clients, random, Math.min(20, SECONDS / 4), one, two, secret);
            settle();
            long descriptors = descriptors();
            long direct = PlatformDependent.usedDirectMemory();
            run(clients, random, SECONDS, one, two, secret);
            settle();
            long left = descriptors();
            System.out.println("connections: " + new TreeMap<>(clients.counts()));
            System.out.println("descriptors " + descriptors + " before and " + left + " after, direct memory " + direct
                    + " before and " + PlatformDependent.usedDirectMemory() + " after");
            System.out.println("ends that no client gave: " + strange());
            assertThat(gateway().metric("sigma_held_bytes")).isZero();
            assertThat(left).as("descriptors").isLessThanOrEqualTo(descriptors + 8);
            // Nothing is closed but by its client: nodes that drain have longer than each of them takes.
            assertThat(clients.counts().keySet()).noneMatch(what -> what.contains(":"));
        }
    }

    @SuppressWarnings("BusyWait") // It is how long the soak lasts.
    private void run(
            SoakClients clients, Random random, long seconds, SocketNode one, SocketNode two, SocketNode secret)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Random own = new Random(random.nextLong());
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    while (System.nanoTime() < end) {
                        clients.once(own);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        while (System.nanoTime() < end) {
            Thread.sleep(CHANGE_MILLIS);
            gateway().apply(config(random, one.url(), two.url(), secret.url()));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Waits until every connection is gone, by the word of the gateway and of the kernel. */
    private void settle() {
        GatewayHarness.eventually(() -> open() == 0);
    }

    private double open() {
        String metrics = metrics();
        return Stream.of("sigma_connections{", "sigma_upstream_tunnels{")
                .mapToDouble(name -> metrics.lines()
                        .filter(line -> line.startsWith(name))
                        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                        .sum())
                .sum();
    }

    private String metrics() {
        try {
            return RawClient.get(gateway().gateway().telemetryPort(), "localhost", "/metrics")
                    .text();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static long descriptors() throws Exception {
        TimeUnit.SECONDS.sleep(1);
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}

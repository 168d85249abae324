package io.sigma.dataplane.engine.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.SocketBudget;
import io.sigma.model.ClientTls;
import io.sigma.model.HealthCheck;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Pool;
import io.sigma.value.AddressGuard;
import io.sigma.value.AddressRange;
import io.sigma.value.NodeUrl;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where the name of a node leads is judged by its address; loopback stands for a metadata service here. */
final class NodeAddressTest {

    private static final List<AddressRange> LOOPBACK =
            List.of(AddressRange.parse("127.0.0.0/8"), AddressRange.parse("::1"));

    private final AtomicInteger asked = new AtomicInteger();
    private Vertx vertx;
    private HttpServer node;

    @BeforeEach
    void start() throws Exception {
        vertx = Vertx.vertx();
        node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        node.createContext("/", exchange -> {
            asked.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        node.start();
    }

    @AfterEach
    void stop() throws Exception {
        node.stop(0);
        vertx.close().await(30, TimeUnit.SECONDS);
    }

    private VertxEngine engine(String... allow) {
        return new VertxEngine(
                vertx,
                1,
                true,
                GatewaySettings.Tls.AUTO,
                id -> null,
                new AddressGuard(LOOPBACK, List.of(allow)),
                new SocketBudget(100));
    }

    private NodeEndpoint endpoint(VertxEngine engine, String host) {
        NodeEndpoint.Key key = new NodeEndpoint.Key(
                "nodes",
                NodeUrl.parse("http://" + host + ":" + node.getAddress().getPort()),
                Pool.builder().build(),
                ClientTls.builder().build(),
                NodeProtocol.AUTO,
                false);
        return new NodeEndpoint(key, engine.connector(), engine.eventLoops());
    }

    private String connected(VertxEngine engine, String host) throws Exception {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        Loop loop = engine.eventLoops().getFirst();
        NodeEndpoint endpoint = endpoint(engine, host);
        loop.scheduler()
                .execute(() -> engine.connector()
                        .connect(
                                endpoint,
                                loop,
                                connection -> outcome.complete("connected"),
                                cause -> outcome.complete(String.valueOf(cause.getMessage()))));
        return outcome.get(30, TimeUnit.SECONDS);
    }

    private String checked(VertxEngine engine, String host) throws Exception {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        engine.prober()
                .probe(
                        endpoint(engine, host),
                        HealthCheck.builder().build(),
                        reason -> outcome.complete(reason == null ? "passed" : reason));
        return outcome.get(30, TimeUnit.SECONDS);
    }

    @Test
    void nameThatLeadsWhereNoNodeMayBeIsNotConnectedTo() throws Exception {
        assertThat(connected(engine(), "localhost")).startsWith("localhost is 127.0.0.1 (expected: no link-local");
        assertThat(checked(engine(), "localhost")).contains("localhost is 127.0.0.1");
        assertThat(asked).hasValue(0);
    }

    @Test
    void literalsWereJudgedBeforeAndExceptionsAreMade() throws Exception {
        assertThat(connected(engine(), "127.0.0.1")).isEqualTo("connected");
        assertThat(connected(engine("LocalHost"), "localhost")).isEqualTo("connected");
        assertThat(connected(engine("127.0.0.0/8"), "localhost")).isEqualTo("connected");
        assertThat(checked(engine("localhost"), "localhost")).isEqualTo("passed");
        assertThat(asked).hasValue(1);
    }
}

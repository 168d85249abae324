package io.sigma.dataplane.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sigma.dataplane.GatewayEngine;
import io.sigma.dataplane.engine.relay.SpoolFiles;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.MemoryBudget;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.model.ClientTls;
import io.sigma.model.HealthCheck;
import io.sigma.model.HealthCheckType;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Pool;
import io.sigma.value.AddressGuard;
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

/** Where a node is, is judged by the address that is connected to; loopback is denied here. */
final class NodeAddressTest {

    private static final List<String> LOOPBACK = List.of("127.0.0.0/8", "::1");

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

    private GatewayEngine engine(String... allow) {
        return new GatewayEngine(
                vertx,
                1,
                GatewaySettings.Tls.AUTO,
                id -> null,
                path -> null,
                new AddressGuard(List.of(allow), LOOPBACK, port -> false),
                new SocketBudget(100),
                MemoryBudget.unlimited(),
                SpoolFiles.none());
    }

    private NodeEndpoint endpoint(GatewayEngine engine, String host) {
        NodeEndpoint.Key key = new NodeEndpoint.Key(
                "nodes",
                NodeUrl.parse("http://" + host + ":" + node.getAddress().getPort()),
                Pool.builder().build(),
                ClientTls.builder().build(),
                NodeProtocol.AUTO,
                null,
                false);
        return new NodeEndpoint(key, engine.connector(), engine.eventLoops());
    }

    private String connected(GatewayEngine engine, String host) throws Exception {
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

    private String checked(GatewayEngine engine, String host) throws Exception {
        return checked(engine, host, HealthCheckType.HTTP);
    }

    private String checked(GatewayEngine engine, String host, HealthCheckType type) throws Exception {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        engine.prober()
                .probe(
                        endpoint(engine, host),
                        HealthCheck.builder().type(type).build(),
                        reason -> outcome.complete(reason == null ? "passed" : reason));
        return outcome.get(30, TimeUnit.SECONDS);
    }

    @Test
    void nameThatLeadsWhereNoNodeMayBeIsNotConnectedTo() throws Exception {
        assertThat(connected(engine(), "localhost"))
                .startsWith("localhost is 127.0.0.1, port ")
                .contains("(expected: nothing of upstreamDeny, or an entry in upstreamAllow)");
        for (HealthCheckType type : HealthCheckType.values()) {
            assertThat(checked(engine(), "localhost", type)).as("%s", type).contains("localhost is 127.0.0.1, port ");
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void literalsAreJudgedInEveryForm() throws Exception {
        for (String literal : new String[] {"127.0.0.1", "[::127.0.0.1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]"}) {
            assertThat(connected(engine(), literal)).as(literal).contains("(expected: nothing of upstreamDeny");
            assertThat(checked(engine(), literal)).as(literal).contains("(expected: nothing of upstreamDeny");
        }
    }

    @Test
    void exceptionsAreMade() throws Exception {
        assertThat(connected(engine("127.0.0.1"), "127.0.0.1")).isEqualTo("connected");
        assertThat(connected(engine("LocalHost"), "localhost")).isEqualTo("connected");
        assertThat(connected(engine("127.0.0.0/8"), "localhost")).isEqualTo("connected");
        assertThat(checked(engine("localhost"), "localhost")).isEqualTo("passed");
        assertThat(checked(engine("localhost"), "localhost", HealthCheckType.TCP))
                .isEqualTo("passed");
        assertThat(asked).hasValue(1);
    }
}

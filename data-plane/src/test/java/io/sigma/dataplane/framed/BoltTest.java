package io.sigma.dataplane.framed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.remoting.InvokeCallback;
import com.alipay.remoting.exception.RemotingException;
import com.alipay.remoting.rpc.RpcClient;
import com.alipay.remoting.rpc.RpcResponseFuture;
import com.alipay.remoting.rpc.exception.InvokeServerException;
import com.alipay.remoting.rpc.exception.InvokeTimeoutException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.framed.BoltParty.Invoice;
import io.sigma.dataplane.framed.BoltParty.Order;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.model.HealthCheck;
import io.sigma.model.HealthCheckType;
import io.sigma.model.Pool;
import io.sigma.model.Protocol;
import io.sigma.model.RpcMatch;
import io.sigma.model.TextMatch;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client and the server of the library of Bolt, with a gateway between them. */
final class BoltTest extends FramedContract {

    private static final String V1 = "_PROTOCOL=1";
    private static final String V2 = "_PROTOCOL=2&_VERSION=2";

    private RpcClient client;

    @Override
    Protocol protocol() {
        return Protocol.BOLT;
    }

    @BeforeEach
    void startClient() {
        client = BoltParty.client();
    }

    @AfterEach
    void stopClient() {
        client.shutdown();
    }

    private String at(String version) {
        return "127.0.0.1:" + port() + "?" + version;
    }

    private Object call(String version, Object request) throws Exception {
        return client.invokeSync(at(version), request, TIMEOUT_MILLIS);
    }

    @ParameterizedTest
    @ValueSource(strings = {V1, V2})
    void requestsAreAnswered(String version) throws Exception {
        try (BoltParty.Server server = new BoltParty.Server("a")) {
            gateway().apply(passing(server.url()));
            for (int i = 0; i < 50; i++) {
                assertThat(call(version, new Order("order " + i))).isEqualTo("a: order " + i);
            }
            String large = "x".repeat(300_000);
            assertThat(call(version, new Order(large))).isEqualTo("a: " + large);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {V1, V2})
    void futuresAndCallbacksGetTheirOwnAnswers(String version) throws Exception {
        try (BoltParty.Server server = new BoltParty.Server("a")) {
            gateway().apply(passing(server.url()));
            List<RpcResponseFuture> futures = new ArrayList<>();
            List<CompletableFuture<Object>> callbacks = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                // The later ones are answered first.
                futures.add(
                        client.invokeWithFuture(at(version), new Order("f" + i, 1 + (300 - i) / 10), TIMEOUT_MILLIS));
                CompletableFuture<Object> answered = new CompletableFuture<>();
                callbacks.add(answered);
                client.invokeWithCallback(at(version), new Order("c" + i), new Callback(answered), TIMEOUT_MILLIS);
            }
            for (int i = 0; i < 300; i++) {
                assertThat(futures.get(i).get(TIMEOUT_MILLIS)).isEqualTo("a: f" + i);
                assertThat(callbacks.get(i).get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS))
                        .isEqualTo("a: c" + i);
            }
        }
    }

    private record Callback(CompletableFuture<Object> answered) implements InvokeCallback {

        @Override
        public void onResponse(Object result) {
            answered.complete(result);
        }

        @Override
        public void onException(Throwable e) {
            answered.completeExceptionally(e);
        }

        @Override
        @SuppressWarnings("NullAway") // The library calls it on its own thread then.
        public Executor getExecutor() {
            return null;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {V1, V2})
    void oneWayRequestsArrive(String version) throws Exception {
        try (BoltParty.Server server = new BoltParty.Server("a")) {
            gateway().apply(passing(server.url()));
            client.oneway(at(version), new Order("one way"));
            assertThat(server.oneWay.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("one way");
            assertThat(records(1).getFirst().path("status").asInt()).isEqualTo(202);
        }
    }

    @Test
    void classChoosesTheNode() throws Exception {
        try (BoltParty.Server orders = new BoltParty.Server("orders");
                BoltParty.Server rest = new BoltParty.Server("rest")) {
            gateway()
                    .apply(passing(rest.url())
                            .router(router(
                                    "orders",
                                    RpcMatch.builder()
                                            .service(TextMatch.builder()
                                                    .value(Order.class.getName())
                                                    .build())
                                            .build(),
                                    "to-orders"))
                            .pass("to-orders", "orders")
                            .upstream("orders", orders.url()));
            assertThat(call(V1, new Order("1"))).isEqualTo("orders: 1");
            assertThat(call(V2, new Invoice("2"))).isEqualTo("rest: invoice 2");
        }
    }

    @Test
    void clientsShareFewConnections() throws Exception {
        try (BoltParty.Server server = new BoltParty.Server("a")) {
            gateway().apply(passing(server.url()).pooled(Pool.builder().connectionsMax(2)));
            List<RpcClient> clients = new ArrayList<>();
            List<RpcResponseFuture> futures = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RpcClient one = BoltParty.client();
                clients.add(one);
                for (int j = 0; j < 10; j++) {
                    futures.add(one.invokeWithFuture(at(V1), new Order(i + "/" + j, 100), TIMEOUT_MILLIS));
                }
            }
            for (int i = 0; i < futures.size(); i++) {
                assertThat(futures.get(i).get(TIMEOUT_MILLIS)).isEqualTo("a: " + i / 10 + "/" + i % 10);
            }
            clients.forEach(RpcClient::shutdown);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {V1, V2})
    void errorsAreThoseOfTheProtocol(String version) throws Exception {
        try (BoltParty.Server server = new BoltParty.Server("a")) {
            Config config = passing(node(Config.freePort()));
            gateway().apply(config);
            assertThatThrownBy(() -> call(version, new Order("1"))).isInstanceOf(RemotingException.class);
            JsonNode refused = records(1).getLast();
            assertThat(refused.path("error").asText()).isEqualTo("connect_failed");
            gateway()
                    .apply(config.upstream("nodes", server.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .timeouts(Timeouts.builder()
                                                    .totalMillis(200)
                                                    .build())
                                            .build()));
            assertThatThrownBy(() -> call(version, new Order("slow", 5_000)))
                    .isInstanceOf(InvokeTimeoutException.class);
            assertThat(records(2).getLast().path("error").asText()).isEqualTo("total_timeout");
            assertThatThrownBy(() -> call(version, new Order("throw"))).isInstanceOf(InvokeServerException.class);
            assertThat(records(3).getLast().path("rpcStatus").asInt()).isEqualTo(2);
            assertThat(records(3).getLast().path("status").asInt()).isEqualTo(500);
        }
    }

    @Test
    void logHasALineForEachRequest() throws Exception {
        try (BoltParty.Server server = new BoltParty.Server("a")) {
            gateway().apply(passing(server.url()));
            call(V2, new Order("1"));
            JsonNode record = records(1).getFirst();
            assertThat(record.path("protocol").asText()).isEqualTo("BOLT/2");
            assertThat(record.path("path").asText()).isEqualTo(Order.class.getName());
            assertThat(record.path("status").asInt()).isEqualTo(200);
            assertThat(record.path("rpcStatus").asInt(-1)).isZero();
            assertThat(record.path("router").asText()).isEqualTo("all");
            assertThat(record.path("upstream").asText()).isEqualTo("nodes");
            assertThat(record.path("node").asText()).isEqualTo(server.url());
            assertThat(record.path("bytesIn").asLong()).isGreaterThan(24);
            assertThat(record.path("bytesOut").asLong()).isGreaterThan(22);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {V1, V2})
    @SuppressWarnings("try") // It is cut in the middle.
    void noCallIsLostWhenAServerIsKilled(String version) throws Exception {
        try (BoltParty.Server dies = new BoltParty.Server("dies");
                SocketNode cable = cable(dies.port());
                BoltParty.Server stays = new BoltParty.Server("stays")) {
            gateway().apply(passing(cable.url(), stays.url()));
            AtomicInteger answered = new AtomicInteger();
            AtomicInteger failed = new AtomicInteger();
            List<CompletableFuture<Object>> calls = new ArrayList<>();
            // Clients and servers of the library refuse more than they can take.
            Semaphore running = new Semaphore(100);
            for (int i = 0; i < 3_000; i++) {
                running.acquire();
                if (i == 1_000) {
                    cable.close();
                }
                CompletableFuture<Object> call = new CompletableFuture<>();
                calls.add(call);
                String text = "c" + i;
                client.invokeWithCallback(at(version), new Order(text, i % 3), new Callback(call), TIMEOUT_MILLIS);
                call.whenComplete((result, error) -> {
                    running.release();
                    if (error == null) {
                        assertThat(result.toString()).endsWith(": " + text);
                        answered.incrementAndGet();
                    } else {
                        assertThat(error).isNotInstanceOf(InvokeTimeoutException.class);
                        failed.incrementAndGet();
                    }
                });
            }
            GatewayHarness.eventually(() -> answered.get() + failed.get() == calls.size());
            assertThat(failed.get()).isLessThanOrEqualTo(100);
            assertThat(call(version, new Order("after"))).isEqualTo("stays: after");
            assertThat(records(calls.size() + 1)).hasSize(calls.size() + 1);
        }
    }

    @Test
    void heartbeatsAreHealthChecks() throws Exception {
        BoltParty.Server sick = new BoltParty.Server("sick");
        try (BoltParty.Server well = new BoltParty.Server("well");
                SocketNode deaf =
                        SocketNode.start(socket -> socket.getInputStream().readAllBytes())) {
            gateway()
                    .apply(passing(sick.url(), well.url(), deaf.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream -> upstream.toBuilder()
                                            .panicThresholdPercent(0)
                                            .healthCheck(HealthCheck.builder()
                                                    .type(HealthCheckType.BOLT)
                                                    .intervalMillis(100)
                                                    .timeoutMillis(1_000)
                                                    .rise(1)
                                                    .fall(1)
                                                    .build())
                                            .build()));
            GatewayHarness.eventually(() -> healthy() == 2);
            sick.close();
            GatewayHarness.eventually(() -> healthy() == 1);
            for (int i = 0; i < 10; i++) {
                assertThat(call(V1, new Order("1"))).isEqualTo("well: 1");
            }
        }
    }

    private double healthy() {
        return gateway().metric("sigma_nodes_usable{upstream=\"nodes\"}");
    }
}

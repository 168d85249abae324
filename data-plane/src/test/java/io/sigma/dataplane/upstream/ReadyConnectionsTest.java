package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Node;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Pool;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Connections that are opened to nodes before requests ask for them, by two event loops. */
final class ReadyConnectionsTest extends EngineContract {

    private static final int LOOPS = 2;

    private Config ready(int idleMin, String... nodes) {
        return with(Pool.builder().idleMin(idleMin).build(), nodes);
    }

    private Config with(Pool pool, String... nodes) {
        return upstream(
                forwarding(nodes), upstream -> upstream.toBuilder().pool(pool).build());
    }

    private static Config upstream(Config config, UnaryOperator<Upstream> edit) {
        return config.with(ResourceType.UPSTREAM, "nodes", edit);
    }

    private static void eventuallyOpen(TestNode node, int connections) {
        GatewayHarness.eventually(() -> node.openNow() == connections);
    }

    @Test
    void areOpenBeforeTheFirstRequest() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(ready(3, node.url()));
            eventuallyOpen(node, 3 * LOOPS);
            assertThat(node.received()).isEmpty();
            assertThat(get("/").text()).isEqualTo("ok");
        }
    }

    @Test
    void noneIsOpenedWhereNoneIsWanted() throws Exception {
        try (TestNode node = TestNode.named("ok");
                TestNode other = TestNode.named("ok")) {
            gateway().apply(with(Pool.builder().build(), node.url()).upstream("others", other.url()));
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(node.accepted()).isEqualTo(1);
            assertThat(other.accepted()).isZero();
        }
    }

    @Test
    void oneThatIsTakenIsReplaced() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
                    done.await(20, TimeUnit.SECONDS);
                    connection.ok("ok");
                });
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            gateway().apply(ready(2, node.url()));
            eventuallyOpen(node, 2 * LOOPS);
            Future<Integer> status = clients.submit(() -> get("/").status());
            eventuallyOpen(node, 2 * LOOPS + 1);
            done.countDown();
            assertThat(status.get(20, TimeUnit.SECONDS)).isEqualTo(200);
        }
    }

    @Test
    void thoseThatANodeClosesAreReplaced() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(ready(2, node.url()));
            eventuallyOpen(node, 2 * LOOPS);
            node.closeConnections();
            GatewayHarness.eventually(() -> node.accepted() >= 4 * LOOPS);
            eventuallyOpen(node, 2 * LOOPS);
        }
    }

    @Test
    void theyAreClosedWhenTheirNodeLeaves() throws Exception {
        try (TestNode node = TestNode.named("ok");
                TestNode next = TestNode.named("next")) {
            gateway().apply(ready(2, node.url()));
            eventuallyOpen(node, 2 * LOOPS);
            gateway().apply(ready(2, next.url()));
            eventuallyOpen(next, 2 * LOOPS);
            eventuallyOpen(node, 0);
        }
    }

    @Test
    void theyAreOpenedToANodeThatComesToLifeLater() throws Exception {
        int port = Config.freePort();
        gateway().apply(ready(2, "http://127.0.0.1:" + port));
        try (TestNode node = TestNode.startOn(port, (request, connection) -> connection.ok("ok"))) {
            eventuallyOpen(node, 2 * LOOPS);
        }
    }

    @Test
    void nodeThatIsOutOfServiceGetsNoneUntilItIsPutBack() throws Exception {
        try (TestNode node = TestNode.named("ok");
                TestNode serving = TestNode.named("serving")) {
            Config config = ready(2, node.url(), serving.url());
            gateway()
                    .apply(upstream(
                            config.copy(),
                            upstream -> upstream.toBuilder()
                                    .nodes(List.of(
                                            Node.builder()
                                                    .url(node.url())
                                                    .down(true)
                                                    .build(),
                                            Node.builder().url(serving.url()).build()))
                                    .build()));
            eventuallyOpen(serving, 2 * LOOPS);
            assertThat(node.accepted()).isZero();
            gateway().apply(config);
            eventuallyOpen(node, 2 * LOOPS);
        }
    }

    @Test
    void eachEventLoopKeepsItsShareOfThePlacesAtMost() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(with(Pool.builder().connectionsMax(4).idleMin(4).build(), node.url()));
            eventuallyOpen(node, 4);
            for (int i = 0; i < 20; i++) {
                assertThat(get("/").status()).isEqualTo(200);
            }
            assertThat(node.openNow()).isLessThanOrEqualTo(4);
        }
    }

    @Test
    void oneHttp2ConnectionIsReadyForManyRequests() throws Exception {
        try (Http2Node node = Http2Node.start(request -> request.response().end("ok"))) {
            gateway()
                    .apply(upstream(
                            ready(1, node.url()),
                            upstream -> upstream.toBuilder()
                                    .protocol(NodeProtocol.HTTP2)
                                    .build()));
            GatewayHarness.eventually(() -> node.connections().size() == LOOPS);
            for (int i = 0; i < 20; i++) {
                assertThat(get("/").status()).isEqualTo(200);
            }
            assertThat(node.connections()).hasSize(LOOPS);
        }
    }
}

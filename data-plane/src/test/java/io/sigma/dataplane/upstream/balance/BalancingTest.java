package io.sigma.dataplane.upstream.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Balancing;
import io.sigma.model.HashKey;
import io.sigma.model.HashSource;
import io.sigma.model.Node;
import io.sigma.model.NodeSubset;
import io.sigma.model.SubsetFallback;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The choice of a node for each request. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class BalancingTest extends EngineContract {

    private final List<TestNode> nodes = new ArrayList<>();

    @BeforeEach
    void startNodes() {
        for (String name : List.of("a", "b", "c")) {
            nodes.add(TestNode.named(name));
        }
    }

    @AfterEach
    void stopNodes() {
        nodes.forEach(TestNode::close);
    }

    private Config upstream(UnaryOperator<Upstream.Builder> edit) {
        return forwarding(nodes.stream().map(TestNode::url).toArray(String[]::new))
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> edit.apply(upstream.toBuilder()).build());
    }

    private Node.Builder node(int index) {
        return Node.builder().url(nodes.get(index).url());
    }

    private String ask(String target, String... fields) throws Exception {
        String extra = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
        RawClient.Answer answer = exchange("GET " + target + " HTTP/1.1\r\nHost: a\r\n" + extra + "\r\n");
        return answer.status() == 200 ? answer.text() : String.valueOf(answer.status());
    }

    private Set<String> answers(int count) throws Exception {
        Set<String> answers = new HashSet<>();
        for (int i = 0; i < count; i++) {
            answers.add(ask("/"));
        }
        return answers;
    }

    @ParameterizedTest
    @EnumSource(Balancing.class)
    void everyBalancingServes(Balancing balancing) throws Exception {
        gateway().apply(upstream(upstream -> upstream.balancing(balancing)));
        assertThat(answers(5)).isSubsetOf("a", "b", "c");
    }

    @ParameterizedTest
    @EnumSource(
            value = Balancing.class,
            names = {"LEAST_REQUESTS", "BEST_AVAILABLE", "PEAK_EWMA"})
    void aNodeThatIsBusyIsAvoided(Balancing balancing) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        TestNode busy = TestNode.start((request, connection) -> {
            release.await();
            connection.ok("busy");
        });
        nodes.set(2, busy).close();
        gateway().apply(upstream(upstream -> upstream.balancing(balancing).nodes(List.of(node(2).build()))));
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> hanging = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                hanging.add(clients.submit(() -> ask("/")));
            }
            GatewayHarness.eventually(() -> busy.received().size() == 5);
            gateway().apply(upstream(upstream -> upstream.balancing(balancing)));
            assertThat(answers(20)).doesNotContain("busy");
            release.countDown();
            for (Future<String> answer : hanging) {
                assertThat(answer.get()).isEqualTo("busy");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"HEADER, X-User", "COOKIE, session", "QUERY, user"})
    void theSameKeyGoesToTheSameNode(HashSource source, String name) throws Exception {
        gateway()
                .apply(upstream(upstream -> upstream.balancing(Balancing.HASH)
                        .hash(HashKey.builder().source(source).name(name).build())));
        Set<String> used = new HashSet<>();
        for (int key = 0; key < 20; key++) {
            Set<String> ofKey = new HashSet<>();
            for (int i = 0; i < 3; i++) {
                ofKey.add(
                        switch (source) {
                            case HEADER -> ask("/" + i, name + ": " + key);
                            case COOKIE -> ask("/" + i, "Cookie: theme=dark" + i + "; session=" + key);
                            default -> ask("/?x=" + i + "&user=" + key + "&y=1");
                        });
            }
            assertThat(ofKey).hasSize(1);
            used.addAll(ofKey);
        }
        assertThat(used).hasSizeGreaterThan(1);
    }

    @Test
    void theClientsAddressIsTheKeyWhenNoneIsNamed() throws Exception {
        gateway().apply(upstream(upstream -> upstream.balancing(Balancing.HASH)));
        assertThat(answers(20)).hasSize(1);
    }

    @Test
    void requestsWithoutTheKeyGoAnywhere() throws Exception {
        gateway()
                .apply(upstream(upstream -> upstream.balancing(Balancing.HASH)
                        .hash(HashKey.builder()
                                .source(HashSource.HEADER)
                                .name("X-User")
                                .build())));
        assertThat(answers(60)).hasSize(3);
    }

    @Test
    void nodesThatAreDownOrDrainedGetNoRequests() throws Exception {
        gateway()
                .apply(upstream(upstream -> upstream.nodes(
                        List.of(node(0).down(true).build(), node(1).drain(true).build(), node(2).build()))));
        assertThat(answers(6)).containsExactly("c");
    }

    @Test
    void noNodeThatTakesRequestsIsServiceUnavailable() throws Exception {
        gateway()
                .apply(upstream(
                        upstream -> upstream.nodes(List.of(node(0).down(true).build()))));
        RawClient.Answer answer = get("/");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).isNotEmpty();
    }

    @Test
    void requestsThatRunWhenTheirNodeIsDrainedEndAsTheyWould() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        TestNode slow = TestNode.start((request, connection) -> {
            release.await();
            connection.ok("slow");
        });
        nodes.set(0, slow).close();
        gateway().apply(upstream(upstream -> upstream.nodes(List.of(node(0).build()))));
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> running = clients.submit(() -> ask("/"));
            GatewayHarness.eventually(() -> !slow.received().isEmpty());
            gateway()
                    .apply(upstream(upstream ->
                            upstream.nodes(List.of(node(0).drain(true).build(), node(1).build()))));
            assertThat(answers(4)).containsExactly("b");
            release.countDown();
            assertThat(running.get()).isEqualTo("slow");
        }
    }

    @Test
    void backupsServeWhenTheOthersCannotBeReached() throws Exception {
        gateway()
                .apply(upstream(upstream -> upstream.nodes(
                        List.of(node(0).build(), node(1).backup(true).build()))));
        assertThat(answers(4)).containsExactly("a");
        nodes.get(0).close();
        assertThat(answers(4)).containsExactly("b");
    }

    private Config subset(NodeSubset subset) {
        return upstream(upstream -> upstream.nodes(List.of(
                        node(0).metadata(Map.of("version", "v1", "zone", "x")).build(),
                        node(1).metadata(Map.of("version", "v2", "zone", "x")).build(),
                        node(2).build())))
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder().subset(subset).build());
    }

    private static NodeSubset.Builder wanting(String version) {
        return NodeSubset.builder().metadata(Map.of("version", version));
    }

    @Test
    void aSubsetHasTheNodesWithItsMetadata() throws Exception {
        gateway().apply(subset(wanting("v2").build()));
        assertThat(answers(6)).containsExactly("b");
    }

    @Test
    void anEmptySubsetFallsBackAsItSays() throws Exception {
        gateway().apply(subset(wanting("v3").build()));
        assertThat(answers(2)).containsExactly("503");
        gateway().apply(subset(wanting("v3").fallback(SubsetFallback.ANY).build()));
        assertThat(answers(6)).hasSize(3);
        gateway()
                .apply(subset(wanting("v3")
                        .fallback(SubsetFallback.DEFAULT)
                        .fallbackMetadata(Map.of("version", "v1"))
                        .build()));
        assertThat(answers(4)).containsExactly("a");
    }

    @Test
    void aSubsetWhoseNodesAreGoneFallsBack() throws Exception {
        gateway().apply(subset(wanting("v2").fallback(SubsetFallback.ANY).build()));
        nodes.get(1).close();
        assertThat(answers(6)).isSubsetOf("a", "c");
    }
}

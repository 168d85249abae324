package io.sigma.dataplane.upstream;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.dns.DnsRecordType;
import io.sigma.dataplane.discovery.DiscoveredNode;
import io.sigma.dataplane.discovery.Discovery;
import io.sigma.dataplane.discovery.dns.DnsDiscovery;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestDns;
import io.sigma.dataplane.testkit.TestDns.Entry;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Balancing;
import io.sigma.model.DnsRecords;
import io.sigma.model.HealthCheck;
import io.sigma.model.NodeDiscovery;
import io.sigma.model.Upstream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes that are found in DNS, or by a module. */
@SuppressWarnings({"StringConcatToTextBlock", "try"}) // Every byte of a line end is meant; nodes are closed early.
final class DiscoveryTest extends EngineContract {

    private static final int PORTS_MAX = 20;

    private TestDns dns;
    private TestNode one;
    private TestNode two;

    @BeforeEach
    void startDnsAndNodes() {
        dns = new TestDns();
        int taken = 0;
        boolean started = false;
        while (!started) {
            one = TestNode.named("one");
            try {
                two = TestNode.startAt(
                        InetAddress.ofLiteral("127.0.0.2"), one.port(), (request, connection) -> connection.ok("two"));
                started = true;
            } catch (UncheckedIOException e) {
                // Something else has this port at the other address.
                one.close();
                if (++taken == PORTS_MAX) {
                    throw e;
                }
            }
        }
    }

    @AfterEach
    void stopDnsAndNodes() {
        dns.close();
        one.close();
        two.close();
    }

    private NodeDiscovery.Builder dns(String url) {
        return NodeDiscovery.builder()
                .type("DNS")
                .url(url)
                .servers(List.of(dns.address()))
                .timeoutMillis(300)
                .refreshMillisMin(100)
                .refreshMillisMax(200);
    }

    private NodeDiscovery.Builder addresses() {
        return dns("http://shop.test:" + one.port());
    }

    private Config config(Upstream.Builder upstream, NodeDiscovery.Builder discovery) {
        return forwarding()
                .upstream(upstream.id("nodes")
                        .nodes(List.of())
                        .discovery(discovery.build())
                        .build());
    }

    private void apply(NodeDiscovery.Builder discovery) {
        gateway().apply(config(Upstream.builder(), discovery));
    }

    private Set<String> answers() throws Exception {
        Set<String> answers = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            RawClient.Answer answer = get("/");
            answers.add(answer.status() == 200 ? answer.text() : String.valueOf(answer.status()));
        }
        return answers;
    }

    private void eventuallyAnswers(String... names) {
        eventually(() -> {
            try {
                return answers().equals(Set.of(names));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void nameIsAskedForAgainAfterAnAnswerThatCannotBeRead() {
        dns.set("_web._tcp.shop.test", Entry.service(1, 1, one.port(), "one.test", 1));
        dns.set("one.test", Entry.address("127.0.0.1", 1));
        apply(dns("http://shop.test").records(DnsRecords.SRV).name("_web._tcp.shop.test"));
        int before = dns.asked("_web._tcp.shop.test");
        // A target whose name leads to a place before itself, as in a message that was compressed.
        byte[] compressed = {0, 1, 0, 1, 31, -112, -64, 120};
        dns.set("_web._tcp.shop.test", new Entry(DnsRecordType.SRV, 1, compressed));
        eventually(() -> dns.asked("_web._tcp.shop.test") > before + 3);
    }

    @Test
    void everyAddressIsANodeFromTheFirstRequestOn() throws Exception {
        dns.set("shop.test", Entry.address("127.0.0.1", 60), Entry.address("127.0.0.2", 60));
        apply(addresses());
        assertThat(answers()).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void addressesOfMetadataServicesAreNoNodes() throws Exception {
        dns.set("shop.test", Entry.address("169.254.169.254", 60), Entry.address("127.0.0.1", 60));
        apply(addresses());
        assertThat(answers()).containsExactly("one");
    }

    @Test
    void nodesFollowTheRecords() throws Exception {
        dns.set("shop.test", Entry.address("127.0.0.1", 0));
        apply(addresses());
        assertThat(answers()).containsExactly("one");
        dns.set("shop.test", Entry.address("127.0.0.1", 0), Entry.address("127.0.0.2", 0));
        eventuallyAnswers("one", "two");
        dns.set("shop.test", Entry.address("127.0.0.2", 0));
        eventuallyAnswers("two");
        // The connections to a node that is gone are closed.
        eventually(() -> one.openNow() == 0);
    }

    @Test
    void anAddressOfIpv6IsANode() throws Exception {
        try (TestNode six = TestNode.startIpv6((request, connection) -> connection.ok("six"))) {
            dns.set("shop.test", Entry.address("::1", 60));
            apply(dns("http://shop.test:" + six.port()));
            assertThat(answers()).containsExactly("six");
        }
    }

    @Test
    void theLastKnownNodesStayWhenDnsIsGone() throws Exception {
        dns.set("shop.test", Entry.address("127.0.0.1", 0));
        apply(addresses());
        assertThat(answers()).containsExactly("one");
        int before = dns.asked("shop.test");
        dns.set("shop.test");
        eventually(() -> dns.asked("shop.test") > before + 4);
        assertThat(answers()).containsExactly("one");
        dns.silence(true);
        // Another change of the configuration keeps them too.
        gateway()
                .apply(config(Upstream.builder().balancing(Balancing.LEAST_REQUESTS), addresses())
                        .route("other", "all", "/other", "pass"));
        assertThat(answers()).containsExactly("one");
        dns.set("shop.test", Entry.address("127.0.0.2", 0));
        dns.silence(false);
        eventuallyAnswers("two");
    }

    /** The records are the same at every answer, which is why nothing else would hand them over again. */
    @Test
    void nodesThatCouldNotBeTakenOverAreHandedOverAgain() {
        dns.set("shop.test", Entry.address("127.0.0.1", 0));
        List<List<DiscoveredNode>> offered = new CopyOnWriteArrayList<>();
        try (DnsDiscovery discovery = new DnsDiscovery();
                Discovery.Watch watch = discovery.watch(addresses().build(), nodes -> {
                    offered.add(nodes);
                    if (offered.size() == 1) {
                        throw new IllegalStateException("made to fail");
                    }
                    if (offered.size() == 2) {
                        throw new StackOverflowError("made to fail");
                    }
                })) {
            eventually(() -> offered.size() == 3);
            int asked = dns.asked("shop.test");
            eventually(() -> dns.asked("shop.test") > asked + 4);
            assertThat(offered).hasSize(3).containsOnly(offered.getFirst());
        }
    }

    @Test
    void recordsAreNotAskedForWhileTheyLive() throws Exception {
        dns.set("shop.test", Entry.address("127.0.0.1", 3600));
        dns.set("other.test", Entry.address("127.0.0.2", 0));
        Config config = config(Upstream.builder(), addresses().refreshMillisMax(86_400_000));
        gateway()
                .apply(config.upstream(Upstream.builder()
                                .id("others")
                                .nodes(List.of())
                                .discovery(
                                        dns("http://other.test:" + two.port()).build())
                                .build())
                        .pass("to-others", "others")
                        .route("others", "all", "/others", "to-others"));
        assertThat(get("/others").text()).isEqualTo("two");
        eventually(() -> dns.asked("other.test") >= 8);
        // A and AAAA, once each.
        assertThat(dns.asked("shop.test")).isEqualTo(2);
    }

    @Test
    void anAnswerThatDoesNotFitIsAskedForOverTcp() throws Exception {
        dns.truncate();
        dns.set("shop.test", Entry.address("127.0.0.2", 60));
        apply(addresses());
        assertThat(answers()).containsExactly("two");
        assertThat(dns.overTcp()).isPositive();
    }

    @Test
    void servicesHavePortsAndPriorities() throws Exception {
        try (TestNode backup = TestNode.named("backup");
                TestNode first = TestNode.named("first")) {
            dns.set(
                    "_http._tcp.shop.test",
                    Entry.service(10, 1, first.port(), "localhost", 0),
                    Entry.service(20, 1, backup.port(), "localhost", 0));
            apply(dns("http://shop.test").records(DnsRecords.SRV));
            assertThat(answers()).containsExactly("first");
            first.close();
            eventuallyAnswers("backup");
        }
    }

    @Test
    void servicesHaveWeights() throws Exception {
        try (TestNode light = TestNode.named("light");
                TestNode heavy = TestNode.named("heavy")) {
            dns.set(
                    "_http._tcp.shop.test",
                    Entry.service(1, 10, light.port(), "localhost", 60),
                    Entry.service(1, 30, heavy.port(), "localhost", 60));
            gateway()
                    .apply(config(
                            Upstream.builder().balancing(Balancing.WEIGHTED_ROUND_ROBIN),
                            dns("http://a.test").name("_http._tcp.shop.test").records(DnsRecords.SRV)));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 40; i++) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.read().status()).isEqualTo(200);
                }
            }
            assertThat(heavy.received()).hasSize(30);
            assertThat(light.received()).hasSize(10);
        }
    }

    @Test
    void discoveredNodesAreCheckedToo() throws Exception {
        dns.set("shop.test", Entry.address("127.0.0.1", 0));
        Upstream.Builder checked = Upstream.builder()
                .healthCheck(HealthCheck.builder()
                        .intervalMillis(100)
                        .expectedStatuses(List.of("200"))
                        .bodyContains("one")
                        .build());
        gateway().apply(config(checked, addresses()));
        assertThat(answers()).containsExactly("one");
        dns.set("shop.test", Entry.address("127.0.0.1", 0), Entry.address("127.0.0.2", 0));
        eventually(() -> !two.received().isEmpty());
        eventuallyAnswers("one");
    }

    @Test
    void aSnapshotIsServedThoughNoNodesAreKnownYet() throws Exception {
        dns.silence(true);
        dns.set("shop.test", Entry.address("127.0.0.1", 0));
        apply(addresses());
        assertThat(answers()).containsExactly("503");
        dns.silence(false);
        eventuallyAnswers("one");
    }

    @Test
    void aModuleMayBringADiscovery() throws Exception {
        apply(NodeDiscovery.builder()
                .type("FIXED")
                .settings(Map.of("node", two.url().replace("0.0.1", "0.0.2"))));
        assertThat(answers()).containsExactly("two");
        SnapshotRefused refused = gateway()
                .refused(config(Upstream.builder(), NodeDiscovery.builder().type("FIXED")));
        assertThat(refused.pointer()).isEqualTo("/upstreams/nodes/discovery");
        assertThat(answers()).containsExactly("two");
    }

    @Test
    void aDiscoveryThatNobodyBringsIsRefused() {
        SnapshotRefused refused = gateway()
                .refused(config(Upstream.builder(), NodeDiscovery.builder().type("CONSUL")));
        assertThat(refused.pointer()).isEqualTo("/upstreams/nodes/discovery/type");
        assertThat(refused.detail()).contains("CONSUL", "DNS");
    }
}

package io.sigma.dataplane.upstream.health;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.HeaderFront;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientTls;
import io.sigma.model.HealthCheck;
import io.sigma.model.HealthCheckType;
import io.sigma.model.NodeProtocol;
import io.sigma.model.NodeProxyProtocol;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Health checks begin with a header that names no client. */
final class ProxyHeaderOfChecksTest extends HealthContract {

    private static final int FAST = 100;

    private Config checked(NodeProxyProtocol version, HealthCheck.Builder check, String url) {
        return with(
                Upstream.builder()
                        .proxyProtocol(version)
                        .tls(ClientTls.builder().verify(false).build())
                        .panicThresholdPercent(0)
                        .healthCheck(check.intervalMillis(FAST)
                                .timeoutMillis(5_000)
                                .rise(1)
                                .fall(1)
                                .build()),
                url);
    }

    private static void namesNoClient(HeaderFront front, NodeProxyProtocol version) {
        eventually(() -> !front.headers().isEmpty());
        assertThat(front.headers().getFirst().told()).isEqualTo(version == NodeProxyProtocol.V1 ? "UNKNOWN" : "LOCAL");
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void checkOfHttpNamesNoClient(NodeProxyProtocol version) throws Exception {
        AtomicBoolean healthy = new AtomicBoolean(false);
        try (TestNode node = node("a", healthy);
                HeaderFront front = HeaderFront.before(node.port())) {
            gateway()
                    .apply(checked(
                            version, HealthCheck.builder().path("/health").bodyContains("all is well"), front.url()));
            namesNoClient(front, version);
            eventuallyAnswers("503");
            healthy.set(true);
            eventuallyAnswers("a");
            TestNode.Received check = node.received().stream()
                    .filter(request -> request.target().equals("/health"))
                    .findFirst()
                    .orElseThrow();
            assertThat(check.field("user-agent")).isEqualTo("sigma-health-check");
            assertThat(check.field("host")).isEqualTo(URI.create(front.url()).getAuthority());
            gateway()
                    .apply(checked(
                            version,
                            HealthCheck.builder().path("/health").bodyContains("something else"),
                            front.url()));
            eventuallyAnswers("503");
        }
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void checkOfAnEncryptedNodeNamesNoClient(NodeProxyProtocol version) throws Exception {
        AtomicBoolean healthy = new AtomicBoolean(false);
        try (TestNode node = TestNode.startTls(TestTls.create("node").context(), (request, connection) -> {
                    if (request.target().equals("/health") && !healthy.get()) {
                        connection.send("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
                    } else {
                        connection.ok("a");
                    }
                });
                HeaderFront front = HeaderFront.before(node.port())) {
            gateway().apply(checked(version, HealthCheck.builder().path("/health"), front.tlsUrl()));
            namesNoClient(front, version);
            eventuallyAnswers("503");
            healthy.set(true);
            eventuallyAnswers("a");
        }
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void checkOfTheConnectionNamesNoClient(NodeProxyProtocol version) throws Exception {
        try (TestNode node = TestNode.named("a");
                HeaderFront front = HeaderFront.before(node.port())) {
            gateway().apply(checked(version, HealthCheck.builder().type(HealthCheckType.TCP), front.url()));
            namesNoClient(front, version);
            eventuallyAnswers("a");
            front.stop();
            eventuallyAnswers("503");
        }
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void checkOfGrpcNamesNoClient(NodeProxyProtocol version) throws Exception {
        AtomicBoolean serving = new AtomicBoolean(true);
        try (Http2Node node = Http2Node.start(request -> request.body()
                        .onSuccess(body -> request.response()
                                .putHeader("content-type", "application/grpc")
                                .putTrailer("grpc-status", "0")
                                .end(
                                        request.path().startsWith("/grpc.health")
                                                ? Buffer.buffer(
                                                        new byte[] {0, 0, 0, 0, 2, 8, (byte) (serving.get() ? 1 : 2)})
                                                : Buffer.buffer("a"))));
                HeaderFront front = HeaderFront.before(URI.create(node.url()).getPort())) {
            Config config = checked(version, HealthCheck.builder().type(HealthCheckType.GRPC), front.url());
            gateway().apply(config.overHttp2());
            namesNoClient(front, version);
            eventuallyAnswers("a");
            serving.set(false);
            eventuallyAnswers("503");
            serving.set(true);
            eventuallyAnswers("a");
        }
    }

    @Test
    void checkOverHttp2AndTlsNamesNoClient() throws Exception {
        AtomicBoolean healthy = new AtomicBoolean(true);
        try (Http2Node node = Http2Node.startTls(
                        TestTls.create("node"),
                        Files.createDirectories(folder.resolve("node")),
                        null,
                        request -> request.response()
                                .setStatusCode(request.path().equals("/health") && !healthy.get() ? 500 : 200)
                                .end("a"));
                HeaderFront front = HeaderFront.before(URI.create(node.url()).getPort())) {
            Config config = checked(NodeProxyProtocol.V2, HealthCheck.builder().path("/health"), front.tlsUrl());
            gateway()
                    .apply(config.with(
                            ResourceType.UPSTREAM,
                            "nodes",
                            upstream -> upstream.toBuilder()
                                    .protocol(NodeProtocol.HTTP2)
                                    .build()));
            namesNoClient(front, NodeProxyProtocol.V2);
            eventuallyAnswers("a");
            healthy.set(false);
            eventuallyAnswers("503");
        }
    }

    @Test
    void nodeThatClosesIsUnhealthy() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
                    if (request.target().equals("/health")) {
                        connection.socket().close();
                    } else {
                        connection.ok("a");
                    }
                });
                HeaderFront front = HeaderFront.before(node.port())) {
            gateway().apply(checked(NodeProxyProtocol.V2, HealthCheck.builder().path("/health"), front.url()));
            namesNoClient(front, NodeProxyProtocol.V2);
            eventuallyAnswers("503");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = HealthCheckType.class,
            names = {"HTTP", "TCP"})
    void checkOfAnotherPortHasNoHeader(HealthCheckType type) throws Exception {
        try (TestNode node = TestNode.named("a");
                HeaderFront front = HeaderFront.before(node.port());
                TestNode other = TestNode.named("well");
                HeaderFront beside = HeaderFront.before(other.port())) {
            gateway()
                    .apply(checked(
                            NodeProxyProtocol.V1,
                            HealthCheck.builder()
                                    .type(type)
                                    .port(URI.create(beside.url()).getPort()),
                            front.url()));
            eventuallyAnswers("a");
            if (type == HealthCheckType.HTTP) {
                eventually(() -> !other.received().isEmpty());
                assertThat(beside.headers().getFirst().version()).isZero();
            } else {
                // The connection ends before its first octet, where there is no header.
                assertThat(beside.headers()).isEmpty();
            }
        }
    }
}

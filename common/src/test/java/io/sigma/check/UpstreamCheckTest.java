package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.Balancing;
import io.sigma.model.CircuitBreaker;
import io.sigma.model.DnsRecords;
import io.sigma.model.FieldError;
import io.sigma.model.HashKey;
import io.sigma.model.HashSource;
import io.sigma.model.HealthCheck;
import io.sigma.model.HealthCheckType;
import io.sigma.model.Node;
import io.sigma.model.NodeDiscovery;
import io.sigma.model.NodeProxyProtocol;
import io.sigma.model.NodeSubset;
import io.sigma.model.OutlierDetection;
import io.sigma.model.Pool;
import io.sigma.model.ProxyPass;
import io.sigma.model.SubsetFallback;
import io.sigma.model.Upstream;
import io.sigma.model.UpstreamLimits;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class UpstreamCheckTest {

    private static Upstream.Builder upstream() {
        return Upstream.builder()
                .id("nodes")
                .nodes(List.of(Node.builder().url("http://10.0.0.1").build()));
    }

    private static Upstream hash(Balancing balancing, HashKey key) {
        return upstream().balancing(balancing).hash(key).build();
    }

    private static HashKey.Builder key(HashSource source) {
        return HashKey.builder().source(source);
    }

    private static ProxyPass subset(NodeSubset.Builder subset) {
        return ProxyPass.builder()
                .id("pass")
                .upstreamId("nodes")
                .subset(subset.build())
                .build();
    }

    private static Upstream health(HealthCheck.Builder check) {
        return upstream().healthCheck(check.build()).build();
    }

    private static NodeDiscovery.Builder dns(String url) {
        return NodeDiscovery.builder().type("DNS").url(url);
    }

    private static Upstream discovered(NodeDiscovery.Builder discovery) {
        return upstream().nodes(List.of()).discovery(discovery.build()).build();
    }

    static Stream<Arguments> badValues() {
        return Stream.of(
                Arguments.of(
                        hash(Balancing.RANDOM, key(HashSource.CLIENT_ADDRESS).build()), "/hash"),
                Arguments.of(hash(Balancing.HASH, key(HashSource.HEADER).build()), "/hash/name"),
                Arguments.of(
                        hash(Balancing.HASH, key(HashSource.HEADER).name("a b").build()), "/hash/name"),
                Arguments.of(
                        hash(
                                Balancing.HASH,
                                key(HashSource.CLIENT_ADDRESS).name("x").build()),
                        "/hash/name"),
                Arguments.of(
                        hash(
                                Balancing.HASH,
                                key(HashSource.SERVER_NAME).name("x").build()),
                        "/hash/name"),
                Arguments.of(
                        hash(
                                Balancing.HASH,
                                key(HashSource.QUERY)
                                        .name("u")
                                        .loadPercentMax(100)
                                        .build()),
                        "/hash/loadPercentMax"),
                Arguments.of(upstream().panicThresholdPercent(101).build(), "/panicThresholdPercent"),
                Arguments.of(health(HealthCheck.builder().path("x")), "/healthCheck/path"),
                Arguments.of(health(HealthCheck.builder().method("G T")), "/healthCheck/method"),
                Arguments.of(
                        health(HealthCheck.builder().expectedStatuses(List.of("200", "2x"))),
                        "/healthCheck/expectedStatuses/1"),
                Arguments.of(health(HealthCheck.builder().headers(Map.of("a b", "c"))), "/healthCheck/headers/a b"),
                Arguments.of(
                        health(HealthCheck.builder().headers(Map.of("X-Consumer-Id", "c"))),
                        "/healthCheck/headers/X-Consumer-Id"),
                Arguments.of(
                        health(HealthCheck.builder().type(HealthCheckType.TCP).bodyContains("ok")),
                        "/healthCheck/bodyContains"),
                Arguments.of(health(HealthCheck.builder().grpcService("x")), "/healthCheck/grpcService"),
                Arguments.of(health(HealthCheck.builder().intervalMillis(1)), "/healthCheck/intervalMillis"),
                Arguments.of(health(HealthCheck.builder().rise(0)), "/healthCheck/rise"),
                Arguments.of(
                        upstream()
                                .outlierDetection(OutlierDetection.builder()
                                        .latencyFactor(1)
                                        .build())
                                .build(),
                        "/outlierDetection/latencyFactor"),
                Arguments.of(
                        upstream()
                                .outlierDetection(OutlierDetection.builder()
                                        .ejectionMillis(1000)
                                        .ejectionMillisMax(999)
                                        .build())
                                .build(),
                        "/outlierDetection/ejectionMillisMax"),
                Arguments.of(
                        upstream()
                                .pool(Pool.builder()
                                        .connectionsMax(3)
                                        .idleMin(4)
                                        .build())
                                .build(),
                        "/pool/idleMin"),
                Arguments.of(
                        upstream()
                                .proxyProtocol(NodeProxyProtocol.V1)
                                .pool(Pool.builder().idleMin(1).build())
                                .build(),
                        "/pool/idleMin"),
                Arguments.of(
                        upstream()
                                .limits(UpstreamLimits.builder()
                                        .retryPercentMax(101)
                                        .build())
                                .build(),
                        "/limits/retryPercentMax"),
                Arguments.of(
                        upstream()
                                .limits(UpstreamLimits.builder()
                                        .circuitBreaker(CircuitBreaker.builder()
                                                .probeRequests(0)
                                                .build())
                                        .build())
                                .build(),
                        "/limits/circuitBreaker/probeRequests"),
                Arguments.of(upstream().nodes(List.of()).build(), "/nodes"),
                Arguments.of(
                        upstream()
                                .discovery(dns("http://shop.internal").build())
                                .build(),
                        "/nodes"),
                Arguments.of(discovered(NodeDiscovery.builder().type("DNS")), "/discovery/url"),
                Arguments.of(discovered(dns("http://10.0.0.1")), "/discovery/url"),
                Arguments.of(discovered(dns("shop.internal")), "/discovery/url"),
                Arguments.of(discovered(dns("http://a.b").servers(List.of("dns.test"))), "/discovery/servers/0"),
                Arguments.of(discovered(dns("http://a.b").name("a b")), "/discovery/name"),
                Arguments.of(discovered(dns("http://a.b").refreshMillisMax(500)), "/discovery/refreshMillisMax"),
                Arguments.of(discovered(dns("http://a.b").settings(Map.of("a", "b"))), "/discovery/settings"),
                Arguments.of(discovered(NodeDiscovery.builder().type("consul")), "/discovery/type"),
                Arguments.of(upstream().slowStartMillis(-1).build(), "/slowStartMillis"),
                Arguments.of(
                        upstream()
                                .nodes(List.of(Node.builder()
                                        .url("http://10.0.0.1")
                                        .weight(1001)
                                        .build()))
                                .build(),
                        "/nodes/0/weight"),
                Arguments.of(
                        upstream()
                                .nodes(List.of(
                                        Node.builder().url("ftp://10.0.0.1").build()))
                                .build(),
                        "/nodes/0/url"),
                Arguments.of(subset(NodeSubset.builder()), "/subset/metadata"),
                Arguments.of(
                        subset(NodeSubset.builder().metadata(Map.of("a", "b")).fallback(SubsetFallback.DEFAULT)),
                        "/subset/fallbackMetadata"),
                Arguments.of(
                        subset(NodeSubset.builder().metadata(Map.of("a", "b")).fallbackMetadata(Map.of("a", "c"))),
                        "/subset/fallbackMetadata"));
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void aBadValueIsFoundWithItsPointer(Object resource, String pointer) {
        assertThat(ResourceCheck.check(resource))
                .extracting(FieldError::pointer)
                .containsExactly(pointer);
        assertThat(ResourceCheck.check(resource).getFirst().detail()).contains("(expected: ");
    }

    @Test
    void whatIsRightIsNotRefused() {
        assertThat(ResourceCheck.check(upstream().build())).isEmpty();
        assertThat(ResourceCheck.check(discovered(dns("http://shop.internal/base")
                        .name("_http._tcp.shop.internal")
                        .records(DnsRecords.SRV)
                        .servers(List.of("10.0.0.53", "10.0.0.53:5353", "::1", "[::1]:5353")))))
                .isEmpty();
        assertThat(ResourceCheck.check(
                        discovered(NodeDiscovery.builder().type("CONSUL").settings(Map.of("service", "shop")))))
                .isEmpty();
        assertThat(ResourceCheck.check(hash(
                        Balancing.HASH, key(HashSource.COOKIE).name("session").build())))
                .isEmpty();
        assertThat(ResourceCheck.check(subset(NodeSubset.builder()
                        .metadata(Map.of("a", "b"))
                        .fallback(SubsetFallback.DEFAULT)
                        .fallbackMetadata(Map.of("a", "c")))))
                .isEmpty();
    }
}

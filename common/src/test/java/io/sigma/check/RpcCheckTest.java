package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.FieldError;
import io.sigma.model.HealthCheck;
import io.sigma.model.HealthCheckType;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Router;
import io.sigma.model.RpcCondition;
import io.sigma.model.RpcMatch;
import io.sigma.model.ServerLimits;
import io.sigma.model.ServerTls;
import io.sigma.model.StreamMatch;
import io.sigma.model.TextMatch;
import io.sigma.model.Timeouts;
import io.sigma.model.Upstream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class RpcCheckTest {

    private static ProxyServer.Builder server(Protocol protocol) {
        return ProxyServer.builder().id("in").protocol(protocol).port(9000);
    }

    private static TextMatch text(String value) {
        return TextMatch.builder().value(value).build();
    }

    private static RpcCondition.Builder header() {
        return RpcCondition.builder().name("service");
    }

    private static RpcMatch headers(RpcCondition.Builder... conditions) {
        return RpcMatch.builder()
                .headers(Stream.of(conditions).map(RpcCondition.Builder::build).toList())
                .build();
    }

    private static Router router(StreamMatch match) {
        return Router.builder()
                .id("orders")
                .proxyServerId("in")
                .proxyPassId("to-orders")
                .match(match)
                .build();
    }

    private static StreamMatch rpc(RpcMatch match) {
        return StreamMatch.builder().rpc(match).build();
    }

    private static List<String> pointers(List<FieldError> errors) {
        return errors.stream().map(FieldError::pointer).toList();
    }

    private static List<String> check(Object resource) {
        return pointers(ResourceCheck.check(resource));
    }

    static Stream<Arguments> badMatches() {
        return Stream.of(
                Arguments.of(RpcMatch.builder().service(TextMatch.builder().build()), "/match/rpc/service"),
                Arguments.of(
                        RpcMatch.builder()
                                .service(TextMatch.builder()
                                        .value("a")
                                        .prefix("b")
                                        .build()),
                        "/match/rpc/service"),
                Arguments.of(
                        RpcMatch.builder().method(TextMatch.builder().regex("(").build()), "/match/rpc/method/regex"),
                Arguments.of(headers(header()).toBuilder(), "/match/rpc/headers/0"),
                Arguments.of(headers(header().value("a").present(true)).toBuilder(), "/match/rpc/headers/0"),
                Arguments.of(headers(header().regex("[")).toBuilder(), "/match/rpc/headers/0/regex"),
                Arguments.of(
                        headers(header().value("a"), header().value("b")).toBuilder(), "/match/rpc/headers/1/name"));
    }

    @ParameterizedTest
    @MethodSource("badMatches")
    void conditionsThatCannotHoldAreRefused(RpcMatch.Builder match, String pointer) {
        assertThat(check(router(rpc(match.build())))).containsExactly(pointer);
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"BOLT", "DUBBO", "THRIFT"})
    void proxyServerMayHaveItsLimitsAndTls(Protocol protocol) {
        ProxyServer fine = server(protocol)
                .limits(ServerLimits.builder().frameBytesMax(2048).callsMax(10).build())
                .tls(ServerTls.builder().certificates(List.of("shop")).build())
                .build();
        assertThat(check(fine)).isEmpty();
        ProxyServer http = server(protocol)
                .limits(ServerLimits.builder().bodyBytesMax(1L).build())
                .build();
        assertThat(check(http)).containsExactly("/limits/bodyBytesMax");
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"HTTP", "TCP", "TLS"})
    void othersHaveNeitherItsLimitsNorItsConditions(Protocol protocol) {
        ProxyServer limited = server(protocol)
                .limits(ServerLimits.builder().frameBytesMax(2048).callsMax(10).build())
                .build();
        assertThat(check(limited)).containsExactly("/limits/frameBytesMax", "/limits/callsMax");
        Router router = router(rpc(RpcMatch.builder().service(text("a")).build()));
        List<String> found =
                pointers(StreamCheck.router(router, server(protocol).build(), null));
        assertThat(found).containsAnyOf("/match", "/match/rpc").doesNotContain("/match/rpc/service");
    }

    @Test
    void conditionsThatAProtocolDoesNotHaveAreRefused() {
        Router method = router(rpc(RpcMatch.builder().method(text("a")).build()));
        Router pairs = router(rpc(headers(header().value("a"))));
        Router sni = router(StreamMatch.builder()
                .sni(List.of("mail.example.com"))
                .alpn(List.of("h2"))
                .build());
        ProxyServer bolt = server(Protocol.BOLT).build();
        ProxyServer thrift = server(Protocol.THRIFT).build();
        assertThat(pointers(StreamCheck.router(method, bolt, null))).containsExactly("/match/rpc/method");
        assertThat(pointers(StreamCheck.router(method, thrift, null))).isEmpty();
        assertThat(pointers(StreamCheck.router(pairs, bolt, null))).isEmpty();
        assertThat(pointers(StreamCheck.router(pairs, thrift, null))).containsExactly("/match/rpc/headers");
        assertThat(pointers(StreamCheck.router(sni, bolt, null))).containsExactly("/match/sni", "/match/alpn");
    }

    @Test
    void proxyPassMayHaveATimeForTheAnswerAndNothingOfHttp() {
        ProxyServer bolt = server(Protocol.BOLT).build();
        ProxyPass.Builder pass = ProxyPass.builder().id("to-orders").upstreamId("orders");
        ProxyPass timed =
                pass.timeouts(Timeouts.builder().responseMillis(10).build()).build();
        assertThat(StreamCheck.pass(timed, bolt)).isEmpty();
        assertThat(pointers(StreamCheck.pass(timed, server(Protocol.TCP).build())))
                .containsExactly("/timeouts/responseMillis");
        assertThat(pointers(StreamCheck.pass(timed.toBuilder().host("a").build(), bolt)))
                .containsExactly("/host");
        Router routed = router(null).toBuilder().proxyPassId(null).build();
        assertThat(pointers(StreamCheck.router(routed, bolt, null))).containsExactly("/proxyPassId");
    }

    @Test
    void twoRoutersCannotTakeTheSameRequests() {
        Router first =
                router(rpc(headers(header().value("a"), header().name("zone").present(true))));
        Router second = first.toBuilder()
                .id("second")
                .match(rpc(headers(header().name("zone").present(true), header().value("a"))))
                .build();
        Router other = first.toBuilder()
                .id("other")
                .match(rpc(headers(header().value("b"))))
                .build();
        List<Router> routers = new ArrayList<>(List.of(first, second, other));
        assertThat(StreamCheck.overlaps(routers, Set.of())).containsOnlyKeys("second");
        assertThat(StreamCheck.overlaps(routers, Set.of()).get("second").pointer())
                .isEqualTo("/match");
    }

    @Test
    void heartbeatsHaveNothingOfHttp() {
        Upstream upstream = Upstream.builder()
                .id("orders")
                .healthCheck(HealthCheck.builder()
                        .type(HealthCheckType.BOLT)
                        .path("/health")
                        .build())
                .build();
        assertThat(check(upstream)).contains("/healthCheck/path");
    }
}

package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.FieldError;
import io.sigma.model.HeaderEdits;
import io.sigma.model.Kind;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Retry;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.ServerHttp2;
import io.sigma.model.ServerLimits;
import io.sigma.model.ServerTls;
import io.sigma.model.Split;
import io.sigma.model.SplitTarget;
import io.sigma.model.Sticky;
import io.sigma.model.StickySource;
import io.sigma.model.StreamMatch;
import io.sigma.model.Timeouts;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class StreamCheckTest {

    private static final ServerTls TLS =
            ServerTls.builder().certificates(List.of("shop")).build();

    private static ProxyServer.Builder server(Protocol protocol) {
        return ProxyServer.builder().id("in").protocol(protocol).port(9000);
    }

    private static Router.Builder router() {
        return Router.builder().id("mail").proxyServerId("in").proxyPassId("to-mail");
    }

    private static StreamMatch.Builder match() {
        return StreamMatch.builder();
    }

    private static ProxyPass.Builder pass() {
        return ProxyPass.builder().id("to-mail").upstreamId("mail");
    }

    private static ServerLimits.Builder limits() {
        return ServerLimits.builder();
    }

    static Stream<Arguments> badServers() {
        return Stream.of(
                Arguments.of(server(Protocol.TCP).plugins(Plugins.builder().build()), "/plugins"),
                Arguments.of(
                        server(Protocol.TCP)
                                .http2(ServerHttp2.builder().enabled(false).build()),
                        "/http2"),
                Arguments.of(server(Protocol.TLS).tls(TLS), "/tls"),
                Arguments.of(
                        server(Protocol.TCP)
                                .tls(TLS.toBuilder()
                                        .clientSubjectHeader("X-Subject")
                                        .build()),
                        "/tls/clientSubjectHeader"),
                Arguments.of(
                        server(Protocol.TCP).limits(limits().headBytesMax(2048).build()), "/limits/headBytesMax"),
                Arguments.of(server(Protocol.TCP).limits(limits().fieldsMax(20).build()), "/limits/fieldsMax"),
                Arguments.of(
                        server(Protocol.TLS).limits(limits().targetBytesMax(512).build()), "/limits/targetBytesMax"),
                Arguments.of(
                        server(Protocol.TLS).limits(limits().bodyBytesMax(1L).build()), "/limits/bodyBytesMax"),
                Arguments.of(
                        server(Protocol.TLS)
                                .limits(limits().bodyBytesPerSecondMin(1).build()),
                        "/limits/bodyBytesPerSecondMin"),
                Arguments.of(
                        server(Protocol.TLS)
                                .limits(limits().bodyRatePeriodMillis(100).build()),
                        "/limits/bodyRatePeriodMillis"),
                Arguments.of(
                        server(Protocol.TLS)
                                .limits(limits().responseBytesPerSecondMin(1).build()),
                        "/limits/responseBytesPerSecondMin"));
    }

    @ParameterizedTest
    @MethodSource("badServers")
    void proxyServerOfBytesHasNothingOfHttp(ProxyServer.Builder server, String pointer) {
        assertThat(ResourceCheck.check(server.build()))
                .extracting(FieldError::pointer)
                .containsExactly(pointer);
    }

    @Test
    void proxyServerOfBytesMayTerminateTlsAndHaveItsOwnLimits() {
        ServerLimits limits = limits().idleTimeoutMillis(1000)
                .streamIdleTimeoutMillis(2000)
                .headTimeoutMillis(500)
                .connectionsMax(10)
                .build();
        assertThat(ResourceCheck.check(
                        server(Protocol.TCP).tls(TLS).limits(limits).build()))
                .isEmpty();
        assertThat(ResourceCheck.check(server(Protocol.TLS).limits(limits).build()))
                .isEmpty();
    }

    static Stream<Arguments> badMatches() {
        return Stream.of(
                Arguments.of(match().sni(List.of("a b")), "/match/sni/0"),
                Arguments.of(match().sni(List.of("10.0.0.1")), "/match/sni/0"),
                Arguments.of(match().sni(List.of("[::1]")), "/match/sni/0"),
                Arguments.of(match().sni(List.of("*")), "/match/sni/0"),
                Arguments.of(match().sni(List.of("a.*.example")), "/match/sni/0"),
                Arguments.of(match().sni(List.of("a.example", "A.example.")), "/match/sni/1"),
                Arguments.of(match().alpn(List.of("h 2")), "/match/alpn/0"),
                Arguments.of(match().alpn(List.of("é")), "/match/alpn/0"),
                Arguments.of(match().clientAddresses(List.of("10.0.0.0/33")), "/match/clientAddresses/0"),
                Arguments.of(match().clientAddresses(List.of("10.0.0.1/8", "10.0.0.2/8")), "/match/clientAddresses/1"),
                Arguments.of(
                        match().sni(IntStream.range(0, 256)
                                        .mapToObj(i -> "h" + i + ".example")
                                        .toList())
                                .alpn(IntStream.range(0, 17)
                                        .mapToObj(i -> "p" + i)
                                        .toList()),
                        "/match"));
    }

    @ParameterizedTest
    @MethodSource("badMatches")
    void conditionIsRefusedWithItsPlace(StreamMatch.Builder match, String pointer) {
        assertThat(ResourceCheck.check(router().match(match.build()).build()))
                .extracting(FieldError::pointer)
                .containsExactly(pointer);
    }

    private static ConfigState state(Object... resources) {
        List<EntityChange> changes = new ArrayList<>();
        changes.add(new EntityChange(
                Kind.UPSTREAM, "mail", Upstream.builder().id("mail").build()));
        for (Object resource : resources) {
            changes.add(
                    switch (resource) {
                        case ProxyServer server -> new EntityChange(Kind.PROXY_SERVER, server.id(), server);
                        case Router router -> new EntityChange(Kind.ROUTER, router.id(), router);
                        case Route route -> new EntityChange(Kind.ROUTE, route.id(), route);
                        case ProxyPass pass -> new EntityChange(Kind.PROXY_PASS, pass.id(), pass);
                        default -> throw new IllegalArgumentException(String.valueOf(resource));
                    });
        }
        return ConfigState.empty().with(changes);
    }

    private static List<String> pointers(Object... resources) {
        return StreamCheck.check(state(resources)).stream()
                .map(clash ->
                        clash.kind() + " " + clash.id() + " " + clash.error().pointer())
                .toList();
    }

    static Stream<Arguments> badRouters() {
        return Stream.of(
                Arguments.of(Protocol.TCP, router().hosts(List.of("a.example")), "/hosts"),
                Arguments.of(Protocol.TCP, router().mergeSlashes(false), "/mergeSlashes"),
                Arguments.of(
                        Protocol.TCP,
                        router().forwardedHeaders(io.sigma.model.ForwardedHeaders.NONE),
                        "/forwardedHeaders"),
                Arguments.of(Protocol.TLS, router().plugins(Plugins.builder().build()), "/plugins"),
                Arguments.of(Protocol.TLS, router().proxyPassId(null), "/proxyPassId"),
                Arguments.of(
                        Protocol.TCP,
                        router().match(match().sni(List.of("a.example")).build()),
                        "/match/sni"),
                Arguments.of(
                        Protocol.TCP, router().match(match().alpn(List.of("h2")).build()), "/match/alpn"),
                Arguments.of(Protocol.UDP, router().hosts(List.of("a.example")), "/hosts"),
                Arguments.of(Protocol.UDP, router().proxyPassId(null), "/proxyPassId"),
                Arguments.of(
                        Protocol.UDP,
                        router().match(match().sni(List.of("a.example")).build()),
                        "/match/sni"),
                Arguments.of(
                        Protocol.UDP, router().match(match().alpn(List.of("h2")).build()), "/match/alpn"),
                Arguments.of(Protocol.HTTP, router(), "/proxyPassId"),
                Arguments.of(Protocol.HTTPS, router(), "/match/sni"),
                Arguments.of(
                        Protocol.HTTPS,
                        router().match(match().alpn(List.of("h2")).build()),
                        "/match/sni"),
                Arguments.of(
                        Protocol.HTTPS,
                        router().proxyPassId(null)
                                .match(match().sni(List.of("a.example")).build()),
                        "/match"),
                Arguments.of(
                        Protocol.HTTPS,
                        router().match(match().sni(List.of("a.example")).build())
                                .hosts(List.of("a.example")),
                        "/hosts"),
                Arguments.of(
                        Protocol.HTTPS,
                        router().match(match().sni(List.of("a.example")).build())
                                .plugins(Plugins.builder().build()),
                        "/plugins"),
                Arguments.of(Protocol.HTTP, router().proxyPassId(null).match(match().build()), "/match"));
    }

    @ParameterizedTest
    @MethodSource("badRouters")
    void routerFitsTheProtocolOfItsProxyServer(Protocol protocol, Router.Builder router, String pointer) {
        assertThat(pointers(server(protocol).build(), router.build(), pass().build()))
                .containsExactly("ROUTER mail " + pointer);
    }

    static Stream<Arguments> badPasses() {
        return Stream.of(
                Arguments.of(pass().stripPrefix("/a"), "/stripPrefix"),
                Arguments.of(pass().host("a.example"), "/host"),
                Arguments.of(pass().preserveHost(false), "/preserveHost"),
                Arguments.of(pass().httpsDegradeHttp(true), "/httpsDegradeHttp"),
                Arguments.of(pass().requestHeaders(HeaderEdits.builder().build()), "/requestHeaders"),
                Arguments.of(pass().plugins(Plugins.builder().build()), "/plugins"),
                Arguments.of(
                        pass().timeouts(Timeouts.builder().responseMillis(5).build()), "/timeouts/responseMillis"),
                Arguments.of(pass().retry(Retry.builder().statuses(List.of(502)).build()), "/retry/statuses"),
                Arguments.of(
                        pass().upstreamId(null)
                                .split(Split.builder()
                                        .targets(List.of(SplitTarget.builder()
                                                .upstreamId("mail")
                                                .weight(1)
                                                .build()))
                                        .sticky(Sticky.builder()
                                                .source(StickySource.HEADER)
                                                .name("a")
                                                .build())
                                        .build()),
                        "/split/sticky"));
    }

    @ParameterizedTest
    @MethodSource("badPasses")
    void proxyPassOfBytesHasNothingOfHttp(ProxyPass.Builder pass, String pointer) {
        assertThat(StreamCheck.pass(pass.build(), server(Protocol.TCP).build()))
                .extracting(FieldError::pointer)
                .containsExactly(pointer);
        assertThat(pointers(server(Protocol.TCP).build(), router().build(), pass.build()))
                .containsExactly("ROUTER mail /proxyPassId");
    }

    @Test
    void routeHasARouterOfHttp() {
        Route route = Route.builder()
                .id("all")
                .routerId("mail")
                .path("/*")
                .proxyPassId("to-mail")
                .build();
        assertThat(pointers(server(Protocol.TCP).build(), router().build(), pass().build(), route))
                .containsExactly("ROUTE all /routerId");
    }

    @Test
    void twoRoutersCannotTakeTheSameConnections() {
        Router first = router().match(
                        match().sni(List.of("a.example", "b.example")).build())
                .build();
        Router other = router().id("other")
                .match(match().sni(List.of("c.example", "B.example")).build())
                .build();
        assertThat(pointers(server(Protocol.TLS).build(), first, other, pass().build()))
                .containsExactly("ROUTER other /match");
        assertThat(StreamCheck.overlaps(List.of(first, other), Set.of("mail"))).containsOnlyKeys("mail");
        Router disabled = other.toBuilder().enabled(false).build();
        assertThat(pointers(server(Protocol.TLS).build(), first, disabled, pass().build()))
                .isEmpty();
    }

    @Test
    void moreSpecificRoutersMayTakeAPart() {
        Router names = router().match(match().sni(List.of("a.example")).build()).build();
        Router protocols = router().id("protocols")
                .match(match().sni(List.of("a.example")).alpn(List.of("h2")).build())
                .build();
        Router clients = router().id("clients")
                .match(match().sni(List.of("*.example"))
                        .clientAddresses(List.of("10.0.0.0/8"))
                        .build())
                .build();
        Router rest = router().id("rest").build();
        assertThat(pointers(server(Protocol.TLS).build(), names, protocols, clients, rest, pass().build()))
                .isEmpty();
    }

    @Test
    void proxyServerOfHttpsPassesSomeNamesThrough() {
        Router passes = router().match(
                        match().sni(List.of("a.example")).alpn(List.of("h2")).build())
                .build();
        Router web = Router.builder().id("web").proxyServerId("in").build();
        Route route = Route.builder()
                .id("all")
                .routerId("web")
                .path("/*")
                .proxyPassId("to-mail")
                .build();
        ProxyServer https = server(Protocol.HTTPS).tls(TLS).build();
        assertThat(pointers(https, passes, web, route, pass().build())).isEmpty();
        assertThat(pointers(
                        https, passes, web, route.toBuilder().routerId("mail").build(), pass().build()))
                .containsExactly("ROUTE all /routerId");
        assertThat(pointers(https, passes, passes.toBuilder().id("other").build(), pass().build()))
                .containsExactly("ROUTER other /match");
        assertThat(pointers(https, passes, pass().stripPrefix("/a").build()))
                .containsExactly("ROUTER mail /proxyPassId");
    }

    @Test
    void proxyServerOfTcpWithTlsRoutesByServerName() {
        Router router =
                router().match(match().sni(List.of("a.example")).build()).build();
        assertThat(pointers(server(Protocol.TCP).tls(TLS).build(), router, pass().build()))
                .isEmpty();
    }
}

package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.FieldError;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerLimits;
import io.sigma.model.ServerTls;
import io.sigma.model.ServerUdp;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Proxy servers with the protocol UDP. */
final class DatagramCheckTest {

    private static final ServerTls TLS =
            ServerTls.builder().certificates(List.of("shop")).build();

    private static ProxyServer.Builder server(Protocol protocol) {
        return ProxyServer.builder().id("in").protocol(protocol).port(9000);
    }

    private static ServerLimits.Builder limits() {
        return ServerLimits.builder();
    }

    private static ProxyServer.Builder udp(ServerUdp.Builder udp) {
        return server(Protocol.UDP).udp(udp.build());
    }

    static Stream<Arguments> badDatagrams() {
        return Stream.of(
                Arguments.of(server(Protocol.TCP).udp(ServerUdp.builder().build()), "/udp"),
                Arguments.of(server(Protocol.HTTP).udp(ServerUdp.builder().build()), "/udp"),
                Arguments.of(server(Protocol.UDP).tls(TLS), "/tls"),
                Arguments.of(server(Protocol.UDP).plugins(Plugins.builder().build()), "/plugins"),
                Arguments.of(server(Protocol.UDP).trustedProxies(List.of("10.0.0.1")), "/trustedProxies"),
                Arguments.of(
                        server(Protocol.UDP).limits(limits().headBytesMax(2048).build()), "/limits/headBytesMax"),
                Arguments.of(
                        server(Protocol.UDP)
                                .limits(limits().idleTimeoutMillis(100).build()),
                        "/limits/idleTimeoutMillis"),
                Arguments.of(
                        server(Protocol.UDP)
                                .limits(limits().streamIdleTimeoutMillis(100).build()),
                        "/limits/streamIdleTimeoutMillis"),
                Arguments.of(
                        server(Protocol.UDP)
                                .limits(limits().headTimeoutMillis(100).build()),
                        "/limits/headTimeoutMillis"),
                Arguments.of(udp(ServerUdp.builder().idleTimeoutMillis(99)), "/udp/idleTimeoutMillis"),
                Arguments.of(udp(ServerUdp.builder().responsesMax(0)), "/udp/responsesMax"),
                Arguments.of(udp(ServerUdp.builder().responseTimeoutMillis(9)), "/udp/responseTimeoutMillis"),
                Arguments.of(
                        udp(ServerUdp.builder().idleTimeoutMillis(1000).responseTimeoutMillis(1001)),
                        "/udp/responseTimeoutMillis"),
                Arguments.of(udp(ServerUdp.builder().sessionsPerAddressMax(0)), "/udp/sessionsPerAddressMax"),
                Arguments.of(udp(ServerUdp.builder().datagramBytesMax(0)), "/udp/datagramBytesMax"),
                Arguments.of(udp(ServerUdp.builder().datagramBytesMax(65_508)), "/udp/datagramBytesMax"));
    }

    @ParameterizedTest
    @MethodSource("badDatagrams")
    void proxyServerOfDatagramsHasNothingOfConnections(ProxyServer.Builder server, String pointer) {
        assertThat(ResourceCheck.check(server.build()))
                .extracting(FieldError::pointer)
                .containsExactly(pointer);
    }

    @Test
    void proxyServerOfDatagramsIsTakenWithItsOwnFields() {
        ServerUdp udp = ServerUdp.builder()
                .idleTimeoutMillis(5000)
                .responsesMax(1)
                .responseTimeoutMillis(5000)
                .sessionsPerAddressMax(10)
                .datagramBytesMax(4096)
                .build();
        ServerLimits limits = limits().connectionsMax(10).build();
        assertThat(ResourceCheck.check(
                        server(Protocol.UDP).udp(udp).limits(limits).build()))
                .isEmpty();
        assertThat(ResourceCheck.check(server(Protocol.UDP).build())).isEmpty();
    }

    @Test
    void headerOfTheProxyProtocolIsNoDatagram() {
        ProxyServer server = server(Protocol.UDP)
                .trustedProxies(List.of("10.0.0.1"))
                .proxyProtocol(ProxyProtocol.REQUIRED)
                .build();
        assertThat(ResourceCheck.check(server))
                .extracting(FieldError::pointer)
                .containsExactly("/trustedProxies", "/proxyProtocol");
    }
}

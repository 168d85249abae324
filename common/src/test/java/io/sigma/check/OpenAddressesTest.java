package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class OpenAddressesTest {

    private static final String[] HOSTS = {"0.0.0.0", "::", "10.0.0.1", "a.example", "A.example", "10.0.0.2"};

    private static ProxyServer server(int id, String host, int port) {
        return server(id, host, port, Protocol.HTTP);
    }

    private static ProxyServer server(int id, String host, int port, Protocol protocol) {
        return ProxyServer.builder()
                .id("s" + id)
                .host(host)
                .port(port)
                .protocol(protocol)
                .build();
    }

    private static Protocol protocol(Random random) {
        return random.nextInt(3) == 0 ? Protocol.UDP : Protocol.HTTP;
    }

    /** DNS has both. */
    @Test
    void udpHasPortsOfItsOwn() {
        ProxyServer tcp = server(1, "0.0.0.0", 53, Protocol.TCP);
        ProxyServer udp = server(2, "10.0.0.1", 53, Protocol.UDP);
        assertThat(StateCheck.listeners(List.of(tcp, udp))).isEmpty();
        assertThat(StateCheck.listeners(List.of(tcp, udp, server(3, "::", 53, Protocol.UDP))))
                .containsOnlyKeys("s3");
    }

    @Test
    void findsAnotherWhereThereIsOne() {
        Random random = new Random(11);
        for (int round = 0; round < 2_000; round++) {
            OpenAddresses open = new OpenAddresses();
            List<ProxyServer> servers = new ArrayList<>();
            for (int i = random.nextInt(6); i > 0; i--) {
                servers.add(server(i, HOSTS[random.nextInt(HOSTS.length)], 1 + random.nextInt(2), protocol(random)));
            }
            servers.forEach(open::add);
            ProxyServer asked = server(
                    random.nextInt(7), HOSTS[random.nextInt(HOSTS.length)], 1 + random.nextInt(2), protocol(random));
            ProxyServer found = open.other(asked);
            boolean expected = servers.stream()
                    .anyMatch(each -> !each.id().equals(asked.id()) && StateCheck.sameAddress(each, asked));
            assertThat(found != null).as("%s beside %s", asked, servers).isEqualTo(expected);
            assertThat(found == null || StateCheck.sameAddress(found, asked)).isTrue();
        }
    }

    /** Gateways look at all of them for each revision, and so does each write of one. */
    @Test
    void lookingAtManyTakesNoLongerThanTheirNumber() {
        List<ProxyServer> servers = IntStream.range(0, 100_000)
                .mapToObj(i -> server(i, "h" + i, 80))
                .toList();
        assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThat(StateCheck.listeners(servers)).isEmpty());
    }
}

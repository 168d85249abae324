package io.sigma.dataplane.filter.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.filter.GuardedHost;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.value.AddressGuard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Issuers that lie, whatever their names are. */
@Timeout(60)
final class KeyFetchTest {

    private static final AddressGuard GUARD = new AddressGuard(List.of(), List.of(), port -> false);
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String KEYS = """
            {"keys": [{"kty": "oct", "k": "AA"}, {"kty": "OKP", "crv": "Ed25519",
              "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}
            """;

    private static KeyFetch from(String host, TestNode issuer, Duration timeout) {
        URI url = URI.create("http://" + host + ":" + issuer.port() + "/keys");
        return new KeyFetch(
                new GuardedHost(url, GUARD, name -> new InetAddress[] {InetAddress.getLoopbackAddress()}), timeout);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "my_issuer", "issuer.test"})
    void keysOfTheIssuerAreRead(String host) throws Exception {
        try (TestNode issuer = TestNode.start((request, connection) -> connection.ok(KEYS));
                KeyFetch fetch = from(host, issuer, LONG)) {
            assertThat(fetch.keys().size()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "my_issuer", "issuer.test"})
    void headThatDripsEndsInTime(String host) throws Exception {
        assertDripsInVain(host, "HTTP/1.1 200 OK\r\nx: ", "x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "my_issuer", "issuer.test"})
    void bodyThatDripsEndsInTime(String host) throws Exception {
        assertDripsInVain(host, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", " ");
    }

    private static void assertDripsInVain(String host, String begin, String piece) throws Exception {
        try (TestNode issuer = TestNode.start((request, connection) -> {
                    connection.send(begin);
                    while (true) {
                        connection.send(piece);
                        Thread.sleep(20);
                    }
                });
                KeyFetch fetch = from(host, issuer, SHORT)) {
            assertThatThrownBy(fetch::keys).isInstanceOf(IOException.class).hasMessageContaining("not within 500 ms");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "my_issuer", "issuer.test"})
    void bodyWithoutEndIsNotKept(String host) throws Exception {
        try (TestNode issuer = TestNode.start((request, connection) -> {
                    connection.send("HTTP/1.1 200 OK\r\n\r\n");
                    String piece = " ".repeat(65_536);
                    while (true) {
                        connection.send(piece);
                    }
                });
                KeyFetch fetch = from(host, issuer, LONG)) {
            assertThatThrownBy(fetch::keys).isInstanceOf(IOException.class).hasMessageNotContaining("not within");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "my_issuer", "issuer.test"})
    void redirectsAreNotFollowed(String host) throws Exception {
        try (TestNode elsewhere = TestNode.start((request, connection) -> connection.ok(KEYS));
                TestNode issuer = TestNode.start((request, connection) -> connection.send(
                        "HTTP/1.1 302 Found\r\nLocation: " + elsewhere.url() + "\r\nContent-Length: 0\r\n\r\n"));
                KeyFetch fetch = from(host, issuer, LONG)) {
            assertThatThrownBy(fetch::keys).hasMessage("status 302 (expected: 200)");
            assertThat(elsewhere.received()).isEmpty();
        }
    }

    /** Who answers for the name may answer otherwise the next time, however soon that is. */
    @Test
    void nameThatLeadsElsewhereTheNextTimeIsNotConnectedTo() throws Exception {
        try (TestNode issuer = TestNode.start((request, connection) -> connection.ok(KEYS))) {
            AtomicInteger asked = new AtomicInteger();
            GuardedHost.Names names = name -> new InetAddress[] {
                asked.getAndIncrement() == 0
                        ? InetAddress.getLoopbackAddress()
                        : InetAddress.ofLiteral("169.254.169.254")
            };
            URI url = URI.create("http://issuer.test:" + issuer.port() + "/keys");
            try (KeyFetch fetch = new KeyFetch(new GuardedHost(url, GUARD, names), LONG)) {
                assertThatThrownBy(fetch::keys)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("issuer.test is 169.254.169.254, port ");
            }
            assertThat(asked).hasValue(2);
            assertThat(issuer.received()).isEmpty();
        }
    }
}

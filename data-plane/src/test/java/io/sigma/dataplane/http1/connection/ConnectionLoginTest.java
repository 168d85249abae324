package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Pool;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users that are authenticated with their connection: NTLM and Negotiate (RFC 4559 §6). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ConnectionLoginTest extends PipelineContract {

    private static final int HTTP_1_1_REQUIRED = 0xd;

    /** Knows users by their connections, and asks those for a login that want to have {@code /own}. */
    private static TestNode node(String name) {
        Map<Object, String> users = new ConcurrentHashMap<>();
        return TestNode.start((request, connection) -> {
            String login = request.field("authorization");
            Object here = connection.socket();
            if (login != null && login.endsWith(" hello")) {
                users.put(here, "");
                connection.send("HTTP/1.1 401 x\r\nWWW-Authenticate: " + login.split(" ", -1)[0]
                        + " challenge\r\nContent-Length: 0\r\n\r\n");
            } else if (login != null && "".equals(users.get(here))) {
                users.put(here, login.substring(login.indexOf(' ') + 1));
                connection.ok(name + " " + users.get(here));
            } else if (request.target().equals("/own")
                    && users.getOrDefault(here, "").isEmpty()) {
                connection.send("HTTP/1.1 401 x\r\nWWW-Authenticate: Negotiate\r\nWWW-Authenticate: NTLM\r\n"
                        + "Content-Length: 0\r\n\r\n");
            } else {
                connection.ok(name + " " + users.getOrDefault(here, "nobody"));
            }
        });
    }

    private static RawClient.Answer ask(RawClient client, String target, String login) throws Exception {
        client.send("GET " + target + " HTTP/1.1\r\nHost: shop.example.com\r\n"
                + (login.isEmpty() ? "" : "Authorization: " + login + "\r\n") + "\r\n");
        return client.read();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NTLM", "Negotiate", "ntlm"})
    void userIsAuthenticatedForItsOwnConnectionAlone(String scheme) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (TestNode one = node("one");
                TestNode two = node("two")) {
            gateway().apply(forwarding(one.url(), two.url()));
            Thread others = Thread.ofVirtual().start(() -> {
                while (!over.get()) {
                    try {
                        if (!get("/").text().endsWith(" nobody")) {
                            over.set(true);
                        }
                    } catch (Exception e) {
                        over.set(true);
                    }
                }
            });
            try (RawClient client = RawClient.connect(port())) {
                assertThat(ask(client, "/own", "").status()).isEqualTo(401);
                assertThat(ask(client, "/own", scheme + " hello").status()).isEqualTo(401);
                String owner = ask(client, "/own", scheme + " alice").text();
                assertThat(owner).endsWith(" alice");
                for (int i = 0; i < 50; i++) {
                    assertThat(ask(client, "/own", "").text()).isEqualTo(owner);
                }
                assertThat(over).isFalse();
            }
            for (int i = 0; i < 50; i++) {
                assertThat(get("/").text()).endsWith(" nobody");
            }
            assertThat(over).isFalse();
            over.set(true);
            others.join();
        }
    }

    private Config bounded(TestNode node) {
        return forwarding(node.url()).pooled(Pool.builder().tunnelsMax(1));
    }

    @Test
    void connectionEndsWithThatOfTheClientAndCountsAsATunnel() throws Exception {
        try (TestNode node = node("node")) {
            gateway().apply(bounded(node));
            try (RawClient client = RawClient.connect(port());
                    RawClient second = RawClient.connect(port())) {
                assertThat(ask(client, "/own", "NTLM hello").status()).isEqualTo(401);
                assertThat(ask(client, "/own", "NTLM alice").text()).isEqualTo("node alice");
                assertThat(ask(second, "/own", "NTLM hello").status()).isEqualTo(503);
                assertThat(ask(second, "/", "").text()).isEqualTo("node nobody");
            }
            GatewayHarness.eventually(() -> node.openNow() == 1);
            GatewayHarness.eventually(() -> {
                try (RawClient client = RawClient.connect(port())) {
                    return ask(client, "/own", "NTLM hello").status() == 401;
                } catch (Exception e) {
                    return false;
                }
            });
        }
    }

    @Test
    void clientLearnsThatTheNodeHasEndedItsLogin() throws Exception {
        try (TestNode node = node("node")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                assertThat(ask(client, "/own", "NTLM hello").status()).isEqualTo(401);
                assertThat(ask(client, "/own", "NTLM alice").text()).isEqualTo("node alice");
                node.closeConnections();
                GatewayHarness.eventually(() -> node.openNow() == 0);
                assertThat(ask(client, "/own", "").status()).isEqualTo(401);
                assertThat(ask(client, "/own", "NTLM hello").status()).isEqualTo(401);
                assertThat(ask(client, "/own", "NTLM bob").text()).isEqualTo("node bob");
            }
        }
    }

    @Test
    void otherSchemesAreForRequests() throws Exception {
        try (TestNode node = node("node")) {
            gateway().apply(bounded(node));
            for (String login : new String[] {"Basic YTpi", "Bearer x", "NTLMX y", "Digest z"}) {
                for (int i = 0; i < 2; i++) {
                    try (RawClient client = RawClient.connect(port())) {
                        assertThat(ask(client, "/", login).status()).isEqualTo(200);
                    }
                }
            }
            assertThat(node.accepted()).isLessThan(5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NTLM hello", "Negotiate hello"})
    void clientOnHttp2IsToldToComeOnHttp1(String login) throws Exception {
        try (TestNode node = node("node")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                        1,
                        login.isEmpty()
                                ? RawHttp2.fields(
                                        ":method", "GET", ":scheme", "http", ":path", "/own", ":authority", "a")
                                : RawHttp2.head("authorization", login));
                RawHttp2.Frame frame = client.next();
                assertThat(frame.type()).isEqualTo(RawHttp2.RST_STREAM);
                assertThat(frame.error()).isEqualTo(HTTP_1_1_REQUIRED);
            }
        }
    }
}

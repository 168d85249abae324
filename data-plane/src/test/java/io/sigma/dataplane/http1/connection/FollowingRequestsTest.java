package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests on one connection, one after the other: nothing of one is seen in the next, however it ended. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class FollowingRequestsTest extends EngineContract {

    private static final String PLAIN = "GET /plain HTTP/1.1\r\nHost: a\r\n\r\n";

    /** Tells what it received: the request line, the fields that are not the gateway's, and the body. */
    private static TestNode telling() {
        return TestNode.start((request, connection) -> {
            String told = request.line() + "|"
                    + request.fields().stream()
                            .filter(field -> field.startsWith("My-"))
                            .toList()
                    + "|" + request.text();
            switch (request.target()) {
                case "/chunked" ->
                    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nMy-Answer: 1\r\n\r\n"
                            + Integer.toHexString(told.length()) + "\r\n" + told + "\r\n0\r\nMy-Trailer: 1\r\n\r\n");
                case "/empty" -> connection.send("HTTP/1.1 204 No Content\r\nMy-Answer: 1\r\n\r\n");
                case "/broken" -> connection.send("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n");
                case "/early" ->
                    connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n"
                            + "Content-Length: " + told.length() + "\r\n\r\n" + told);
                default -> connection.ok(told);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /a?b=c, '', 200",
        "GET, /a, 'My-Field: 1', 200",
        "POST, /a, 'Content-Length: 3', 200",
        "POST, /a, 'Transfer-Encoding: chunked', 200",
        "HEAD, /a, '', 200",
        "GET, /chunked, '', 200",
        "GET, /empty, '', 204",
        "GET, /broken, '', 502",
        "OPTIONS, *, '', 200",
        "TRACE, /a, '', 405",
        "GET, /a, 'Expect: nothing', 417"
    })
    void followingRequestIsItself(String method, String target, String field, int status) throws Exception {
        try (TestNode node = telling()) {
            gateway().apply(forwarding(node.url()));
            String body =
                    field.startsWith("Content") ? "xyz" : field.startsWith("Transfer") ? "3\r\nxyz\r\n0\r\n\r\n" : "";
            String first = method + " " + target + " HTTP/1.1\r\nHost: a\r\n" + (field.isEmpty() ? "" : field + "\r\n")
                    + "\r\n" + body;
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 3; i++) {
                    client.send(first);
                    RawClient.Answer answer = client.read(method.equals("HEAD"));
                    assertThat(answer.status()).isEqualTo(status);
                    if ("close".equals(answer.field("connection"))) {
                        return;
                    }
                    client.send(PLAIN);
                    RawClient.Answer next = client.read();
                    assertThat(next.status()).isEqualTo(200);
                    assertThat(next.text()).isEqualTo("GET /plain HTTP/1.1|[]|");
                    assertThat(next.field("my-answer")).isNull();
                    assertThat(next.trailers()).isEmpty();
                }
            }
        }
    }

    @Test
    void interimResponsesAreThoseOfTheirRequest() throws Exception {
        try (TestNode node = telling();
                RawClient client = RawClient.connect(port(gateway(), node))) {
            for (int i = 0; i < 3; i++) {
                client.send("GET /early HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(103);
                assertThat(client.read().text()).isEqualTo("GET /early HTTP/1.1|[]|");
                client.send(PLAIN);
                assertThat(client.read().text()).isEqualTo("GET /plain HTTP/1.1|[]|");
            }
        }
    }

    private int port(GatewayHarness gateway, TestNode node) {
        gateway.apply(forwarding(node.url()));
        return port();
    }
}

package io.sigma.dataplane.http1.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.ForwardedHeaders;
import io.sigma.model.HeaderEdits;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields that pass between client and node, that are edited, and that the gateway adds. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ForwardedFieldsTest extends EngineContract {

    @Test
    void fieldsOfTheConnectionAreNotPassedOn() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                "HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Secret\r\nKeep-Alive: timeout=5\r\nX-Secret: 1\r\n"
                        + "X-Open: 2\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer =
                    exchange("GET / HTTP/1.1\r\nHost: a\r\nConnection: X-Forwarded-For, Authorization\r\n"
                            + "Authorization: secret\r\nKeep-Alive: 3\r\nProxy-Authorization: x\r\nTE: trailers\r\n"
                            + "X-Forwarded-For: 1.2.3.4\r\nunder_score: 1\r\nX-Open: 1\r\n\r\n");
            assertThat(answer.field("x-secret")).isNull();
            assertThat(answer.field("keep-alive")).isNull();
            assertThat(answer.field("x-open")).isEqualTo("2");
            TestNode.Received received = node.last();
            assertThat(received.field("authorization")).isNull();
            assertThat(received.field("keep-alive")).isNull();
            assertThat(received.field("proxy-authorization")).isNull();
            assertThat(received.field("te")).isNull();
            assertThat(received.field("under_score")).isNull();
            assertThat(received.field("x-open")).isEqualTo("1");
            assertThat(received.field("x-forwarded-for")).isEqualTo("127.0.0.1");
        }
    }

    /** Else the client of a load balancer takes away what that says of it, and is taken for the load balancer. */
    @ParameterizedTest
    @ValueSource(strings = {"x-forwarded-for", "X-Forwarded-Proto", "Forwarded", "X-Real-IP", "true-client-ip"})
    void connectionCannotTakeAwayTheWordOfATrustedPeer(String name) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .trustedProxies(List.of("127.0.0.0/8"))
                                            .build()));
            String head = "POST / HTTP/1.1\r\nHost: a\r\n" + name + ": 1.2.3.4\r\nContent-Length: 0\r\nConnection: ";
            RawClient.Answer answer = exchange(head + "x-a, " + name + "\r\n\r\n");
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.field("connection")).isEqualTo("close");
            assertThat(node.received()).isEmpty();
            assertThat(exchange(head + "x-a, authorization\r\n\r\n").status()).isEqualTo(200);
        }
    }

    @Test
    void headerEditsApplyInTheOrderRemoveSetAdd() throws Exception {
        HeaderEdits edits = HeaderEdits.builder()
                .remove(List.of("X-Gone"))
                .set(Map.of("X-Set", "new"))
                .add(Map.of("X-Add", "more"))
                .build();
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                "HTTP/1.1 200 OK\r\nX-Gone: 1\r\nX-Set: old\r\nX-Add: first\r\nContent-Length: 0\r\n\r\n"))) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .requestHeaders(edits)
                                            .responseHeaders(edits)
                                            .build()));
            RawClient.Answer answer =
                    exchange("GET / HTTP/1.1\r\nHost: a\r\nX-Gone: 1\r\nX-Set: old\r\nX-Add: first\r\n\r\n");
            assertThat(node.last().field("x-gone")).isNull();
            assertThat(node.last().all("x-set")).containsExactly("new");
            assertThat(node.last().all("x-add")).containsExactly("first", "more");
            assertThat(answer.field("x-gone")).isNull();
            assertThat(answer.all("x-set")).containsExactly("new");
            assertThat(answer.all("x-add")).containsExactly("first", "more");
        }
    }

    @Test
    void forwardingFieldsOfAnUntrustedPeerAreReplaced() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            exchange(forged());
            TestNode.Received received = node.last();
            assertThat(received.all("x-forwarded-for")).containsExactly("127.0.0.1");
            assertThat(received.all("x-forwarded-proto")).containsExactly("http");
            assertThat(received.all("x-forwarded-host")).containsExactly("a.example.com:8080");
            assertThat(received.all("x-forwarded-port")).containsExactly(String.valueOf(port()));
            assertThat(received.all("x-real-ip")).containsExactly("127.0.0.1");
            assertThat(received.all("forwarded"))
                    .containsExactly("for=127.0.0.1;host=\"a.example.com:8080\";proto=http");
        }
    }

    @Test
    void forwardingFieldsOfATrustedPeerAreAddedTo() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .trustedProxies(List.of("127.0.0.0/8"))
                                            .build()));
            exchange(forged());
            TestNode.Received received = node.last();
            assertThat(received.all("x-forwarded-for")).containsExactly("1.2.3.4, 127.0.0.1");
            assertThat(received.all("x-real-ip")).containsExactly("1.2.3.4");
            assertThat(received.all("x-forwarded-proto")).containsExactly("https");
            assertThat(received.all("x-forwarded-host")).containsExactly("evil");
            assertThat(received.all("x-forwarded-port")).containsExactly("1");
            assertThat(received.field("forwarded")).isEqualTo("for=1.2.3.4, for=127.0.0.1;host=\"evil:1\";proto=https");
        }
    }

    @ParameterizedTest
    @CsvSource({"NONE, false, false", "FORWARD, true, false", "X_FORWARD, false, true", "ALL, true, true"})
    void routerChoosesTheForwardingFields(ForwardedHeaders mode, boolean standard, boolean x) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.ROUTER,
                                    "all",
                                    router -> router.toBuilder()
                                            .forwardedHeaders(mode)
                                            .build()));
            exchange(forged());
            assertThat(node.last().field("forwarded") != null).isEqualTo(standard);
            assertThat(node.last().field("x-forwarded-for") != null).isEqualTo(x);
            assertThat(node.last().field("x-real-ip") != null).isEqualTo(x);
        }
    }

    private static String forged() {
        return "GET / HTTP/1.1\r\nHost: a.example.com:8080\r\nX-Forwarded-For: 1.2.3.4\r\nX-Real-IP: 1.2.3.4\r\n"
                + "X-Forwarded-Proto: https\r\nX-Forwarded-Host: evil\r\nX-Forwarded-Port: 1\r\nForwarded: for=1.2.3.4\r\n\r\n";
    }
}

package io.sigma.dataplane.upstream.health;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.CircuitBreaker;
import io.sigma.model.Upstream;
import io.sigma.model.UpstreamLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many nodes give up a client that is slow to send its request: so clients must not decide who is ejected. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class SlowClientBlameTest extends HealthContract {

    private static final String FAILED = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n";

    private static final String HALF = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n1";

    /** Waits, does what the target says, and closes. */
    private static TestNode node() {
        return TestNode.startHeadsOnly((request, connection) -> {
            String[] way = request.target().split("/", -1);
            if (way[1].equals("ok")) {
                connection.ok("ok");
                return;
            }
            Thread.sleep(Long.parseLong(way[2]));
            if (way[1].equals("status")) {
                connection.send(FAILED);
            } else if (way[1].equals("half")) {
                connection.send(HALF);
            }
            connection.socket().close();
        });
    }

    /** One failure opens the circuit. */
    private void serve(TestNode node) {
        gateway()
                .apply(with(
                        Upstream.builder()
                                .limits(UpstreamLimits.builder()
                                        .circuitBreaker(CircuitBreaker.builder()
                                                .requestsMin(1)
                                                .failurePercent(1)
                                                .build())
                                        .build()),
                        node.url()));
    }

    /** Sends a part of a body, and waits until the gateway gives up. */
    private void upload(String target) {
        try (RawClient client = RawClient.connect(port())) {
            client.send("POST " + target + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
            try {
                client.read();
            } catch (IOException e) {
                // The response is cut.
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isOpen() {
        try {
            return get("/ok").status() == 503;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"/close/1200", "/status/1200", "/half/1200"})
    void aNodeThatGivesUpASlowClientHasNotFailed(String target) throws Exception {
        try (TestNode node = node()) {
            serve(node);
            upload(target);
            // The client may have the end before the gateway has counted it.
            Thread.sleep(200);
            assertThat(isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"/close/0", "/status/0", "/half/0"})
    void aNodeThatDoesNotWaitForTheRequestHas(String target) throws Exception {
        try (TestNode node = node()) {
            serve(node);
            // A busy machine may take longer than a node has to wait.
            eventually(() -> {
                upload(target);
                return isOpen();
            });
        }
    }

    @Test
    void aNodeThatGotAllOfTheRequestHas() throws Exception {
        try (TestNode node = node()) {
            serve(node);
            assertThat(get("/close/1200").status()).isEqualTo(502);
            eventually(this::isOpen);
        }
    }
}

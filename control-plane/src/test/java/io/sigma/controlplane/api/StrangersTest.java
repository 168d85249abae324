package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.TestControlPlane;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Audit records of requests without valid credentials. */
final class StrangersTest {

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    /** The router of the HTTP library would throw, and log a trace for each. */
    @Test
    void pathWithABadEscapeIsRefusedAsAnyOther() throws Exception {
        for (String path : new String[] {"/api/v1/%zz", "/%", "/x%4", "/api/v1/routes/%G0"}) {
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), running.controlPlane().adminPort())) {
                socket.getOutputStream()
                        .write(("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(answer)
                        .startsWith("HTTP/1.1 400 ")
                        .contains("application/problem+json", "two hexadecimal digits");
            }
        }
    }

    /** The HTTP library would throw for each request beyond its own bound. */
    @Test
    void requestsThatAreSentAheadAreBounded() throws Exception {
        String one = "GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\n";
        for (int requests : new int[] {60, 500}) {
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), running.controlPlane().adminPort())) {
                socket.getOutputStream()
                        .write((one.repeat(requests)
                                        + "GET /api/v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                String answers = "";
                try {
                    answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                } catch (SocketException e) {
                    // What was sent after the end resets the connection.
                }
                int answered = answers.split("HTTP/1.1 200", -1).length - 1;
                if (requests < 100) {
                    assertThat(answered).isEqualTo(requests + 1);
                } else {
                    assertThat(answered).isLessThan(requests);
                }
            }
        }
        // One after the other, as many as one likes.
        for (int i = 0; i < 300; i++) {
            assertThat(client.get("/health").status()).isEqualTo(200);
        }
    }

    @Test
    void theyDoNotFillTheLog() {
        for (int i = 0; i < 700; i++) {
            client.send("PUT", "/proxy-servers/web", "{\"port\":1}", "Authorization", "Basic nothing");
        }
        client.put("/proxy-servers/web", "{\"port\":0}");
        int recorded = AuditTest.records(client, "&who=unknown").size();
        String detail =
                client.get("/audit?limit=1").json().at("/items/0/detail").asText();
        // The log tells it with the next one that is recorded, and takes a few more with each minute.
        int leftOut = 0;
        for (JsonNode one : client.get("/audit?limit=1000").json().path("items")) {
            String said = one.path("detail").asText();
            leftOut += said.contains("left out") ? Integer.parseInt(said.split(" ", 2)[0]) : 0;
        }
        // How many it is depends on how long it took.
        assertThat(recorded).isBetween(600, 700);
        assertThat(recorded + leftOut).isEqualTo(700);
        assertThat(detail).endsWith("invalid: /port");
    }
}

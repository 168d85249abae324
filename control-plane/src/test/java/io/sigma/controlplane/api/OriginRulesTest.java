package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of HTTP for origin servers, in the admin API. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class OriginRulesTest {

    private static final String DATE =
            "(?s).*\r\n(?i:date): [A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4}" + " \\d\\d:\\d\\d:\\d\\d GMT\r\n.*";

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    private String exchange(String request) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(client.base()).getPort())) {
            socket.setSoTimeout(15_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /api/v1/upstreams, 401",
        "GET /, 200",
        "GET /nowhere.js, 404",
        "PUT /, 405",
        "GET /%zz, 400",
        "G{T /, 400"
    })
    void everyAnswerSaysWhen(String asked, int status) throws Exception {
        String answer = exchange(asked + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 " + status + " ").matches(DATE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Host: a\r\nHost: a\r\n"})
    void requestHasOneHost(String hosts) throws Exception {
        assertThat(exchange("GET / HTTP/1.1\r\n" + hosts + "Connection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ")
                .matches(DATE);
    }

    @Test
    void probeOfHttp10NeedsNoHost() throws Exception {
        assertThat(exchange("GET / HTTP/1.0\r\n\r\n")).contains(" 200 ");
    }

    @Test
    void answerWithoutABodySaysOnWhatItDependsAsTheOneWithItDoes() {
        for (int i = 0; i < 40; i++) {
            client.put("/upstreams/with-a-long-name-" + i, "{\"nodes\":[{\"url\":\"http://10.0.0.1\"}]}");
        }
        Reply first = client.get("/config");
        assertThat(first.header("Vary")).isEqualToIgnoringCase("accept-encoding");
        Reply known = client.get("/config", "If-None-Match", first.header("ETag"));
        assertThat(known.status()).isEqualTo(304);
        assertThat(known.header("Vary")).isEqualToIgnoringCase("accept-encoding");
        assertThat(known.header("Date")).isNotEmpty();
    }
}

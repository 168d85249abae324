package io.sigma.dataplane.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.dataplane.testkit.Wire;
import io.sigma.json.Json;
import io.sigma.model.AccessLogFormat;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.ClientAuth;
import io.sigma.model.Plugins;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates of clients: who must show one, and who hears of it. */
final class ClientCertificateTest extends TlsContract {

    @Test
    void clientsShowTheirCertificateAndTheNodeHearsOfIt() throws Exception {
        TestTls known = TestTls.create("known client");
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(encrypted(
                            ServerTls.builder()
                                    .clientAuth(ClientAuth.OPTIONAL)
                                    .clientCa(known.resource("x").chain())
                                    .clientSubjectHeader("X-Client-Subject")
                                    .build(),
                            node.url()));
            String spoofing = GET.replace("\r\n\r\n", "\r\nX-Client-Subject: CN=admin\r\n\r\n");
            try (RawClient client = new RawClient(connect(client(known), "shop.example.com"))) {
                client.send(spoofing);
                assertThat(client.read().status()).isEqualTo(200);
                assertThat(node.last().field("x-client-subject")).isEqualTo("CN=known client");
            }
            try (RawClient client = new RawClient(connect(client(null), "shop.example.com"))) {
                client.send(spoofing);
                assertThat(client.read().status()).isEqualTo(200);
                assertThat(node.last().field("x-client-subject")).isNull();
            }
        }
    }

    @Test
    void trailersSayNothingOfTheCertificate() throws Exception {
        AtomicReference<List<String>> trailers = new AtomicReference<>();
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            trailers.set(Wire.readChunks(connection.in(), new ByteArrayOutputStream()));
            connection.ok("ok");
        })) {
            gateway()
                    .apply(encrypted(
                            ServerTls.builder()
                                    .clientAuth(ClientAuth.OPTIONAL)
                                    .clientCa(TestTls.create("known")
                                            .resource("x")
                                            .chain())
                                    .clientSubjectHeader("X-Client-Subject")
                                    .build(),
                            node.url()));
            try (RawClient client = new RawClient(connect(client(null), "shop.example.com"))) {
                client.send(GET.replace("GET", "POST").replace("\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n")
                        + "1\r\na\r\n0\r\nX-Client-Subject: CN=admin\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
                assertThat(trailers.get()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TEMPLATE, 'SUCCESS CN=Zo\\xEB \\x5C\\x22client\\x5C\\x22,O=Sigma|NONE -'",
        "JSON, 'SUCCESS CN=Zo\u00eb \\\"client\\\",O=Sigma|NONE -'"
    })
    void subjectOfTheClientIsLogged(AccessLogFormat format, String expected) throws Exception {
        TestTls known = TestTls.create("Zo\u00eb \\\"client\\\", O=Sigma");
        Path file = folder.resolve("tls.log");
        AccessLogPlugin log = AccessLogPlugin.builder()
                .format(format)
                .template(format == AccessLogFormat.TEMPLATE ? "$ssl_client_verify $ssl_client_s_dn" : null)
                .path(file.toString())
                .build();
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(encrypted(
                                    ServerTls.builder()
                                            .clientAuth(ClientAuth.OPTIONAL)
                                            .clientCa(known.resource("x").chain())
                                            .build(),
                                    node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .plugins(Plugins.builder()
                                                    .accessLog(log)
                                                    .build())
                                            .build()));
            for (TestTls shown : new TestTls[] {known, null}) {
                try (RawClient client = new RawClient(connect(client(shown), "shop.example.com"))) {
                    client.send(GET);
                    assertThat(client.read().status()).isEqualTo(200);
                }
                int lines = shown == null ? 2 : 1;
                GatewayHarness.eventually(() -> lines(file).size() == lines);
            }
        }
        List<String> logged =
                lines(file).stream().map(line -> said(format, line)).toList();
        assertThat(String.join("|", logged)).isEqualTo(expected);
    }

    private static String said(AccessLogFormat format, String line) {
        if (format == AccessLogFormat.TEMPLATE) {
            return line;
        }
        JsonNode json = Json.read(line, JsonNode.class);
        return json.path("clientVerify").asText("-") + " "
                + json.path("clientSubject").asText("-");
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void clientWithoutACertificateIsRefusedWhereItMustHaveOne() throws Exception {
        TestTls known = TestTls.create("known client");
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(encrypted(
                            ServerTls.builder()
                                    .clientAuth(ClientAuth.REQUIRED)
                                    .clientCa(known.resource("x").chain())
                                    .build(),
                            node.url()));
            for (TestTls unknown : new TestTls[] {null, TestTls.create("stranger")}) {
                assertThatThrownBy(() -> {
                            try (RawClient client = new RawClient(connect(client(unknown), "shop.example.com"))) {
                                client.send(GET);
                                client.read();
                            }
                        })
                        .isInstanceOf(IOException.class);
            }
            try (RawClient client = new RawClient(connect(client(known), "shop.example.com"))) {
                client.send(GET);
                assertThat(client.read().status()).isEqualTo(200);
            }
            assertThat(node.received()).hasSize(1);
        }
    }

    /** A session that is resumed is not verified again. */
    @Test
    void certificateThatExpiredIsRefusedInAResumedSessionToo() throws Exception {
        TestTls brief = TestTls.expiring("brief", Duration.ofSeconds(6));
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(encrypted(
                            ServerTls.builder()
                                    .clientAuth(ClientAuth.REQUIRED)
                                    .clientCa(brief.resource("x").chain())
                                    .build(),
                            node.url()));
            SSLContext context = client(brief);
            for (int i = 0; i < 2; i++) {
                try (RawClient client = new RawClient(connect(context, "shop.example.com"))) {
                    client.send(GET);
                    assertThat(client.read().status()).isEqualTo(200);
                }
            }
            GatewayHarness.eventually(() ->
                    Instant.now().isAfter(brief.certificate().getNotAfter().toInstant()));

            assertThatThrownBy(() -> {
                        try (RawClient client = new RawClient(connect(context, "shop.example.com"))) {
                            client.send(GET);
                            client.read();
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(node.received()).hasSize(2);
        }
    }
}

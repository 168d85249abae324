package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.json.Json;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin port with TLS of its own. */
final class AdminTlsTest {

    private static final String PASSWORD = "a few right words";

    @TempDir
    Path dir;

    /** Returns the subject of the certificate that is shown. */
    private static String shown(int port) throws Exception {
        try (SSLSocket socket = connect(port)) {
            socket.startHandshake();
            X509Certificate own = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return own.getSubjectX500Principal().getName();
        }
    }

    private static boolean isShown(int port, String subject) {
        try {
            return shown(port).equals(subject);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static SSLSocket connect(int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anybody()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static final class Anybody implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static String answer(SSLSocket socket, String request) throws Exception {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        String line = in.readLine();
        while (line != null && !line.isEmpty()) {
            head.append(line).append("\n");
            line = in.readLine();
        }
        return head.toString();
    }

    private void write(TestCertificate certificate) throws Exception {
        Files.writeString(dir.resolve("key.pem"), certificate.key());
        Files.writeString(dir.resolve("cert.pem"), certificate.chain());
    }

    @Test
    void filesAreShownAndReadAgainWhenTheyChange() throws Exception {
        write(TestCertificate.create("first"));
        try (RunningControlPlane running = RunningControlPlane.start(TestSettings.of(
                dir,
                TestDatabase.fresh(),
                "adminPassword",
                PASSWORD,
                "adminTlsCertPath",
                dir.resolve("cert.pem").toString(),
                "adminTlsKeyPath",
                dir.resolve("key.pem").toString()))) {
            int port = running.controlPlane().adminPort();
            assertThat(shown(port)).isEqualTo("CN=first");
            try (SSLSocket socket = connect(port)) {
                String body = "{\"name\":\"admin\",\"password\":\"" + PASSWORD + "\"}";
                String head = answer(
                        socket,
                        "POST /api/v1/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
                                + body.length() + "\r\n\r\n" + body);
                assertThat(head).startsWith("HTTP/1.1 200").containsIgnoringCase("SameSite=Strict; Secure");
            }
            Files.writeString(dir.resolve("cert.pem"), "nonsense");
            Thread.sleep(2_500);
            assertThat(shown(port)).as("what is no good is not shown").isEqualTo("CN=first");
            write(TestCertificate.create("second"));
            Eventually.holds("the new certificate is shown", Duration.ofSeconds(20), () -> isShown(port, "CN=second"));
        }
    }

    @Test
    void aCertificateOfTheConfigurationIsShown() throws Exception {
        String database = TestDatabase.fresh();
        TestCertificate first = TestCertificate.create("stored");
        try (RunningControlPlane running = RunningControlPlane.start(TestSettings.of(dir, database))) {
            String body = Json.text(Map.of("chain", first.chain(), "privateKey", first.key()));
            assertThat(running.client().put("/certificates/admin", body).status())
                    .isEqualTo(201);
        }
        try (RunningControlPlane running =
                RunningControlPlane.start(TestSettings.of(dir, database, "adminTlsCertificate", "admin"))) {
            assertThat(shown(running.controlPlane().adminPort())).isEqualTo("CN=stored");
        }
        assertThatThrownBy(() ->
                        RunningControlPlane.start(TestSettings.of(dir, database, "adminTlsCertificate", "missing")))
                .hasMessageContaining("missing");
    }

    @Test
    void halfOfAPairIsRefused() throws Exception {
        assertThatThrownBy(() -> RunningControlPlane.start(
                        TestSettings.of(dir, TestDatabase.fresh(), "adminTlsCertPath", "cert.pem")))
                .hasMessageContaining("adminTlsKeyPath");
    }
}

package io.sigma.controlplane.api;

import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.identity.Pem;
import io.sigma.model.Certificate;
import io.sigma.settings.InvalidSettings;
import io.sigma.snapshot.ConfigState;
import io.sigma.value.CertifiedKey;
import io.sigma.value.InvalidValue;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of the admin port, from files or from the configuration. It is looked at every two seconds, and what
 * is good replaces what was shown before, for connections from then on. Confined to the server's verticle; reading
 * blocks.
 */
final class AdminTls {

    private static final Logger LOG = LoggerFactory.getLogger(AdminTls.class);

    private static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");
    private static final int HANDSHAKE_SECONDS = 5;
    private static final long LOOK_MILLIS = 2_000;
    private static final int FILE_BYTES_MAX = 1024 * 1024;

    /** PEM texts, as they were read. */
    private record Texts(String chain, String key) {

        PemKeyCertOptions checked() {
            CertifiedKey read = CertifiedKey.parse(chain, key);
            String certificates = read.chain().stream().map(Pem::of).collect(Collectors.joining());
            return new PemKeyCertOptions()
                    .addCertValue(Buffer.buffer(certificates))
                    .addKeyValue(Buffer.buffer(Pem.of(read.key())));
        }

        @Override
        public String toString() {
            return "Texts[redacted]";
        }
    }

    private final ControlPlaneSettings settings;
    private final Supplier<ConfigState> state;

    private @Nullable Texts shown;

    private boolean failing;

    private AdminTls(ControlPlaneSettings settings, Supplier<ConfigState> state) {
        this.settings = settings;
        this.state = state;
    }

    /**
     * Returns what the settings ask for; null where the port speaks no TLS.
     *
     * @param state the present configuration
     * @throws InvalidSettings when they contradict each other
     */
    static @Nullable AdminTls of(ControlPlaneSettings settings, Supplier<ConfigState> state) {
        boolean files = settings.admin().adminTlsCertPath() != null;
        if (files != (settings.admin().adminTlsKeyPath() != null)) {
            throw new InvalidSettings(
                    List.of("adminTlsCertPath, adminTlsKeyPath: only one of the two (expected: both, or neither)"));
        }
        if (files && settings.admin().adminTlsCertificate() != null) {
            throw new InvalidSettings(
                    List.of("adminTlsCertificate: together with adminTlsCertPath (expected: one of the two)"));
        }
        return settings.admin().tls() ? new AdminTls(settings, state) : null;
    }

    /**
     * Returns {@code options} with TLS.
     *
     * @throws InvalidSettings when there is no good certificate
     */
    HttpServerOptions on(HttpServerOptions options) {
        PemKeyCertOptions first;
        try {
            Texts read = read();
            first = read.checked();
            shown = read;
        } catch (IOException | InvalidValue e) {
            throw new InvalidSettings(List.of(source() + ": " + e.getMessage()));
        }
        options.setSsl(true).setKeyCertOptions(first).setEnabledSecureTransportProtocols(PROTOCOLS);
        options.setSslHandshakeTimeout(HANDSHAKE_SECONDS).setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
        return options;
    }

    /** From now on {@code server} shows what there is. */
    void follow(Vertx vertx, HttpServer server) {
        vertx.setPeriodic(LOOK_MILLIS, timer -> look(server));
    }

    private void look(HttpServer server) {
        try {
            Texts read = read();
            if (read.equals(shown)) {
                failing = false;
                return;
            }
            ServerSSLOptions options = new ServerSSLOptions()
                    .setKeyCertOptions(read.checked())
                    .setEnabledSecureTransportProtocols(PROTOCOLS);
            server.updateSSLOptions(options).await();
            // Only then: what could not be taken over is tried again.
            shown = read;
            failing = false;
            LOG.info("The admin port presents the certificate that {} has now", source());
        } catch (IOException | RuntimeException | Error e) {
            if (!failing) {
                LOG.error(
                        "{} cannot be used, and the admin port keeps its earlier certificate: {}",
                        source(),
                        e.getMessage());
            }
            failing = true;
        }
    }

    private String source() {
        return settings.admin().adminTlsCertificate() == null
                ? "adminTlsCertPath " + settings.admin().adminTlsCertPath()
                : "adminTlsCertificate \"" + settings.admin().adminTlsCertificate() + "\"";
    }

    private Texts read() throws IOException {
        String id = settings.admin().adminTlsCertificate();
        if (id == null) {
            return new Texts(
                    text(Objects.requireNonNull(settings.admin().adminTlsCertPath())),
                    text(Objects.requireNonNull(settings.admin().adminTlsKeyPath())));
        }
        Certificate certificate = state.get().certificates().get(id);
        if (certificate == null || certificate.privateKey() == null) {
            throw new InvalidValue("there is no such certificate with a key in the configuration");
        }
        return new Texts(certificate.chain(), certificate.privateKey());
    }

    private static String text(Path file) throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) > FILE_BYTES_MAX) {
            throw new IOException(file + " (expected: a file of at most " + FILE_BYTES_MAX + " bytes)");
        }
        return Files.readString(file, StandardCharsets.US_ASCII);
    }
}

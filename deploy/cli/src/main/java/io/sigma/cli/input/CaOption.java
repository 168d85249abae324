package io.sigma.cli.input;

import io.sigma.value.CertifiedKey;
import io.sigma.value.InvalidValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The authorities that a TLS client trusts. */
public final class CaOption {

    private static final String VARIABLE = "SIGMA_CA_FILE";

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM certificates of trusted authorities. The default is SIGMA_CA_FILE, then those of Java.")
    @Nullable
    Path file;

    /**
     * Returns what to connect with; null for Java's own.
     *
     * @throws InvalidInput when the file holds no certificates
     */
    @Nullable
    public SSLContext context(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        Path chosen = file != null ? file : named.isEmpty() ? null : Path.of(named);
        if (chosen == null) {
            return null;
        }
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (X509Certificate one : CertifiedKey.chain(Files.readString(chosen, StandardCharsets.ISO_8859_1))) {
                trusted.setCertificateEntry("ca-" + trusted.size(), one);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | InvalidValue e) {
            throw new InvalidInput("--ca: " + chosen + " (expected: a file with PEM certificates)");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has TLS", e);
        }
    }
}

package io.sigma.dataplane.snapshot;

import io.sigma.json.JsonPointer;
import io.sigma.model.ClientTls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;

/** Looks at TLS files before a snapshot that needs them is taken. Blocks. */
final class TlsFiles {

    private TlsFiles() {}

    /**
     * Reads the authorities of an upstream.
     *
     * @throws SnapshotRefused when they cannot be read or are no certificates
     */
    static void checkAuthorities(String upstreamId, ClientTls tls) {
        if (tls.caPath() == null) {
            return;
        }
        String pointer = JsonPointer.of("upstreams", upstreamId, "tls", "caPath");
        try (InputStream in = Files.newInputStream(Path.of(tls.caPath()))) {
            if (CertificateFactory.getInstance("X.509").generateCertificates(in).isEmpty()) {
                throw new SnapshotRefused(pointer, "\"" + tls.caPath() + "\" (expected: PEM certificates)");
            }
        } catch (IOException | InvalidPathException e) {
            throw new SnapshotRefused(pointer, "\"" + tls.caPath() + "\" cannot be read: " + e.getMessage());
        } catch (CertificateException e) {
            throw new SnapshotRefused(pointer, "\"" + tls.caPath() + "\" (expected: PEM certificates)");
        }
    }
}

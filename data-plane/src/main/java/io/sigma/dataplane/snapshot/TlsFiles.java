package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.watch.UnusableFile;
import io.sigma.dataplane.watch.WatchedFile;
import io.sigma.dataplane.watch.WatchedFiles;
import io.sigma.json.JsonPointer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads TLS files before a snapshot that needs them is taken. Blocks. */
final class TlsFiles {

    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);

    private TlsFiles() {}

    /**
     * Reads the authorities of an upstream, and follows their changes; returns null where the settings of the gateway
     * do not open the file, and then no connection to the nodes is made.
     *
     * @throws SnapshotRefused when they cannot be read or are no certificates
     */
    static @Nullable WatchedFile<String> authorities(WatchedFiles files, String upstreamId, String path) {
        try {
            return files.open(List.of(path), contents -> certificates(path, contents.getFirst()));
        } catch (UnusableFile e) {
            if (e.isRefused()) {
                LOG.error("Nodes of upstream {} cannot be verified: {}", upstreamId, e.getMessage());
                return null;
            }
            throw new SnapshotRefused(
                    JsonPointer.of("upstreams", upstreamId, "tls", "caPath"), String.valueOf(e.getMessage()));
        }
    }

    private static String certificates(String path, byte[] content) throws UnusableFile {
        try {
            if (!CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(content))
                    .isEmpty()) {
                return new String(content, StandardCharsets.ISO_8859_1);
            }
        } catch (CertificateException e) {
            // Said below.
        }
        throw new UnusableFile(0, "\"" + path + "\" (expected: PEM certificates)");
    }
}

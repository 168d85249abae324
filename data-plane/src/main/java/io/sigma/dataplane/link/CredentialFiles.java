package io.sigma.dataplane.link;

import io.sigma.identity.Pem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code gateway-key.pem} (mode 0600), {@code gateway-cert.pem} and {@code cluster-ca.pem} in the data folder. Blocks
 * on the disk.
 */
final class CredentialFiles {

    private static final Logger LOG = LoggerFactory.getLogger(CredentialFiles.class);

    private final Path dataDir;

    CredentialFiles(Path dataDir) {
        this.dataDir = dataDir;
    }

    /** Returns what is there; nothing when one of the three is missing or damaged. */
    Optional<Credentials> load() {
        try {
            Path key = dataDir.resolve("gateway-key.pem");
            if (!Files.exists(key)) {
                return Optional.empty();
            }
            return Optional.of(new Credentials(
                    Pem.privateKey(Files.readString(key)),
                    Pem.certificate(Files.readString(dataDir.resolve("gateway-cert.pem"))),
                    Pem.certificate(Files.readString(dataDir.resolve("cluster-ca.pem")))));
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("The gateway's certificate in {} cannot be used: {}", dataDir, e.toString());
            return Optional.empty();
        }
    }

    /** Replaces each file atomically. Three renames are not one: credentials that do not fit together count as none. */
    void save(Credentials credentials) throws IOException {
        Files.createDirectories(dataDir);
        write("cluster-ca.pem", Pem.of(credentials.authority()), "rw-r--r--");
        write("gateway-key.pem", Pem.of(credentials.key()), "rw-------");
        write("gateway-cert.pem", Pem.of(credentials.certificate()), "rw-r--r--");
    }

    private void write(String name, String text, String permissions) throws IOException {
        Path fresh = Files.createTempFile(
                dataDir,
                name,
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.write(fresh, text.getBytes(StandardCharsets.US_ASCII), StandardOpenOption.SYNC);
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString(permissions));
            Files.move(fresh, dataDir.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}

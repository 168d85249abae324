package io.sigma.controlplane.settings;

import io.sigma.value.ResourceId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Secrets that a control plane generates when its settings lack them: the admin token, the key of secrets, the join
 * token and its id. Each is generated once and kept in a file of the data folder that only its owner can read.
 */
public final class OwnSecrets {

    /** Where in the data folder a generated admin token lies. */
    public static final String ADMIN_TOKEN_FILE = "admin-token";

    /** Where in the data folder a generated key of secrets lies. */
    public static final String SECRET_KEY_FILE = "secret-key";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int TOKEN_BYTES = 32;
    private static final int TOKEN_LENGTH_MIN = 16;
    private static final int PASSWORD_LENGTH_MIN = 12;
    private static final int PASSWORD_LENGTH_MAX = 256;
    private static final int SUFFIX_BYTES = 3;
    private static final int HOST_LENGTH_MAX = 48;

    private OwnSecrets() {}

    /**
     * Returns {@code settings} with an admin token, a key of secrets, a join token and an id. Blocks on the disk.
     *
     * @throws UncheckedIOException when the data folder cannot be read or written
     * @throws IllegalArgumentException when a token is too short to be one, or the id is none
     */
    public static ControlPlaneSettings complete(ControlPlaneSettings settings) {
        Path dir = settings.dataDir();
        String admin = value(settings.adminToken(), dir.resolve(ADMIN_TOKEN_FILE), OwnSecrets::token);
        String key = value(settings.secretKey(), dir.resolve(SECRET_KEY_FILE), OwnSecrets::token);
        String join = value(settings.joinToken(), dir.resolve("join-token"), OwnSecrets::token);
        String id = value(settings.controlPlaneId(), dir.resolve("control-plane-id"), OwnSecrets::hostAndSuffix);
        require(admin, "adminToken");
        String password = settings.logins().adminPassword();
        if (password != null && (password.length() < PASSWORD_LENGTH_MIN || password.length() > PASSWORD_LENGTH_MAX)) {
            throw new IllegalArgumentException("adminPassword: [redacted] (expected: " + PASSWORD_LENGTH_MIN + ".."
                    + PASSWORD_LENGTH_MAX + " characters)");
        }
        require(key, "secretKey");
        require(join, "joinToken");
        if (!ResourceId.isValid(id)) {
            throw new IllegalArgumentException(
                    "controlPlaneId: \"" + id + "\" (expected: " + ResourceId.EXPECTATION + ")");
        }
        return settings.withOwn(admin, key, join, id);
    }

    private static void require(String token, String name) {
        boolean visible = token.chars().allMatch(c -> c > ' ' && c < 0x7f);
        if (token.length() < TOKEN_LENGTH_MIN || !visible) {
            throw new IllegalArgumentException(
                    name + ": [redacted] (expected: at least " + TOKEN_LENGTH_MIN + " visible ASCII characters)");
        }
    }

    private static String value(@Nullable String set, Path file, Supplier<String> generator) {
        if (set != null) {
            return set;
        }
        try {
            if (!Files.exists(file)) {
                write(file, generator.get());
            }
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read or written: " + e.getMessage(), e);
        }
    }

    /**
     * Writes beside the file first, so that it is never seen half written; another process may win, then its value
     * counts.
     */
    private static void write(Path file, String value) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path fresh = file.resolveSibling(file.getFileName() + "." + suffix() + ".new");
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        Files.createFile(fresh, owner);
        Files.write(fresh, (value + "\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.SYNC);
        try {
            Files.createLink(file, fresh);
            Files.delete(fresh);
        } catch (FileAlreadyExistsException e) {
            Files.delete(fresh);
        } catch (UnsupportedOperationException e) {
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String hostAndSuffix() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "control-plane";
        }
        String plain = host.replaceAll("[^A-Za-z0-9._-]", "-");
        return plain.substring(0, Math.min(plain.length(), HOST_LENGTH_MAX)) + "-" + suffix();
    }

    private static String suffix() {
        byte[] bytes = new byte[SUFFIX_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}

package io.sigma.dataplane.settings;

import io.sigma.value.ResourceId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The id of a gateway, from its settings or its data folder. Blocks on the disk. */
public final class OwnIdentity {

    private static final String FILE = "gateway-id";
    private static final int SUFFIX_BYTES = 3;
    private static final int HOST_LENGTH_MAX = 48;

    private OwnIdentity() {}

    /**
     * Returns the id that the settings give, or the id that is kept in the data folder, where a new one is kept first
     * when there is none.
     *
     * @throws IllegalArgumentException when the id is none
     * @throws UncheckedIOException when the data folder cannot be read or written
     */
    public static String id(GatewaySettings settings) {
        String id = settings.link().gatewayId() == null
                ? kept(settings.dataDir())
                : settings.link().gatewayId();
        if (!ResourceId.isValid(id)) {
            throw new IllegalArgumentException("gatewayId: \"" + id + "\" (expected: " + ResourceId.EXPECTATION + ")");
        }
        return id;
    }

    /** Returns the name of this machine. */
    public static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static String kept(Path dataDir) {
        Path file = dataDir.resolve(FILE);
        try {
            if (!Files.exists(file)) {
                Files.createDirectories(dataDir);
                Path fresh = Files.createTempFile(dataDir, FILE, ".new");
                Files.writeString(fresh, hostAndSuffix() + "\n");
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            }
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read or written: " + e.getMessage(), e);
        }
    }

    private static String hostAndSuffix() {
        String host = host().replaceAll("[^A-Za-z0-9._-]", "-");
        byte[] suffix = new byte[SUFFIX_BYTES];
        new SecureRandom().nextBytes(suffix);
        return host.substring(0, Math.min(host.length(), HOST_LENGTH_MAX)) + "-"
                + HexFormat.of().formatHex(suffix);
    }
}

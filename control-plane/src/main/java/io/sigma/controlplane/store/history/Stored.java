package io.sigma.controlplane.store.history;

import io.sigma.json.CanonicalJson;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A resource as the database has it.
 *
 * @param revision the revision that changed it last
 */
public record Stored<T>(T value, long revision) {

    private static final int TAG_BYTES = 8;

    /**
     * Returns its strong entity tag, quotes included. The revision alone would do, but numbers can come again after a
     * database was restored from a backup.
     */
    public String tag() {
        byte[] digest = sha256().digest(CanonicalJson.bytes(value));
        return "\"" + revision + "-" + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + "\"";
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

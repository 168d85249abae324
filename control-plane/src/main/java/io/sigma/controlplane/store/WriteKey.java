package io.sigma.controlplane.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/**
 * By what a write is known again when its client repeats it, not knowing what became of it.
 *
 * @param writeId that of the revision, made from what the client chose
 * @param digest of what was asked for, so that another request under the same id is not mistaken for this one
 */
public record WriteKey(UUID writeId, String digest) {

    /** Returns the key of a request of {@code author}, who cannot meet the keys of others. */
    public static WriteKey of(String author, String key, byte[] request) {
        ByteBuffer id = ByteBuffer.wrap(sha256((author + "\n" + key).getBytes(StandardCharsets.UTF_8)));
        // A UUID of version 8: made as the application likes (RFC 9562 §5.8).
        long high = (id.getLong() & ~0xf000L) | 0x8000L;
        long low = (id.getLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
        return new WriteKey(new UUID(high, low), HexFormat.of().formatHex(sha256(request)));
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

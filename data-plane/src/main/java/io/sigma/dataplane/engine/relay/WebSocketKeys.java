package io.sigma.dataplane.engine.relay;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * By what a WebSocket on HTTP/1.1 knows that its server understood it (RFC 6455 §4); on HTTP/2 nobody asks (RFC 8441
 * §5).
 */
final class WebSocketKeys {

    static final String KEY = "sec-websocket-key";
    static final String ACCEPT = "sec-websocket-accept";

    private static final int KEY_BYTES = 16;
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final SecureRandom RANDOM = new SecureRandom();

    private WebSocketKeys() {}

    /** Returns a new key. */
    static String create() {
        byte[] key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }

    /** Returns what a server answers to {@code key}. */
    static String accept(String key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            return Base64.getEncoder()
                    .encodeToString(digest.digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every platform has SHA-1", e);
        }
    }
}

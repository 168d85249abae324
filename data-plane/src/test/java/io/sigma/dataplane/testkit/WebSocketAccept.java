package io.sigma.dataplane.testkit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** A server's answer to the key of a WebSocket (RFC 6455 §4.2.2), independent of the code under test. */
public final class WebSocketAccept {

    private WebSocketAccept() {}

    public static String of(String key) throws NoSuchAlgorithmException {
        byte[] all = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII);
        return Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-1").digest(all));
    }
}

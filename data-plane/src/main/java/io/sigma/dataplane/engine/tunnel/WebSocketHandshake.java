package io.sigma.dataplane.engine.tunnel;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.RequestHead;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of a WebSocket whose client speaks HTTP/1.1 and whose node HTTP/2, or the other way round: there the
 * gateway is the server of the one and the client of the other (RFC 6455 §4). On HTTP/1.1 the server answers a key by
 * which the client knows that it understood; on HTTP/2 nobody asks (RFC 8441 §5). Pure but for the keys that it makes.
 */
final class WebSocketHandshake {

    static final String KEY = "sec-websocket-key";
    static final String ACCEPT = "sec-websocket-accept";
    static final String VERSION = "sec-websocket-version";
    static final String KNOWN_VERSION = "13";

    private static final String PROTOCOL = "sec-websocket-protocol";
    private static final String EXTENSIONS = "sec-websocket-extensions";

    private static final int KEY_BYTES = 16;
    /** Of a key in Base64, its padding included. */
    private static final int KEY_CHARACTERS = 24;

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final SecureRandom RANDOM = new SecureRandom();

    private WebSocketHandshake() {}

    /** Returns a new key. */
    static String createKey() {
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

    /**
     * Returns why the gateway does not translate a client's handshake (RFC 6455 §4.2.1, §4.2.2), null when it does.
     *
     * @param http2 whether the client speaks HTTP/2, where there is no key
     */
    static @Nullable ErrorKind refusal(RequestHead request, boolean http2) {
        Fields fields = request.fields();
        boolean whole = http2 || (request.method().equals("GET") && isKey(fields.all(KEY)));
        if (!whole) {
            return ErrorKind.BAD_REQUEST;
        }
        List<String> versions = fields.all(VERSION);
        boolean known = versions.equals(List.of(KNOWN_VERSION)) || (http2 && versions.isEmpty());
        return known ? null : ErrorKind.WEBSOCKET_VERSION;
    }

    private static boolean isKey(List<String> keys) {
        String key = keys.size() == 1 ? keys.getFirst() : "";
        try {
            return key.length() == KEY_CHARACTERS && Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns whether a server chose no subprotocol or extension that the client does not offer (RFC 6455 §4.1). */
    static boolean isAnswer(Fields request, Fields response) {
        List<String> chosen = response.all(PROTOCOL);
        if (!chosen.isEmpty()
                && (chosen.size() > 1 || !names(request.all(PROTOCOL)).contains(chosen.getFirst()))) {
            return false;
        }
        return names(request.all(EXTENSIONS)).containsAll(names(response.all(EXTENSIONS)));
    }

    /** Returns the elements of a list without their parameters. */
    private static List<String> names(List<String> values) {
        List<String> names = new ArrayList<>();
        for (String value : values) {
            for (String item : value.split(",", -1)) {
                int semicolon = item.indexOf(';');
                String name = (semicolon < 0 ? item : item.substring(0, semicolon)).strip();
                if (!name.isEmpty()) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}

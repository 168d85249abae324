package io.sigma.dataplane.warmup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;

/** Finds the end of a message of HTTP/1.1 (RFC 9112 §6) whose sender is known: a client or a node of the warm-up. */
final class WarmUpMessage {

    private static final String HEAD_END = "\r\n\r\n";
    private static final String LAST_CHUNK = "\r\n0\r\n\r\n";
    private static final String LENGTH = "\r\ncontent-length:";
    private static final String CHUNKED = "\r\ntransfer-encoding: chunked";

    private WarmUpMessage() {}

    /** Returns how many of the first {@code filled} octets are the first message; -1 while its end is not there. */
    static int length(byte[] octets, int filled) {
        String text = new String(octets, 0, filled, ISO_8859_1);
        int headEnd = text.indexOf(HEAD_END);
        if (headEnd < 0) {
            return -1;
        }
        String head = text.substring(0, headEnd).toLowerCase(Locale.ROOT);
        if (head.contains(CHUNKED)) {
            int last = text.indexOf(LAST_CHUNK, headEnd);
            return last < 0 ? -1 : last + LAST_CHUNK.length();
        }
        int end = headEnd + HEAD_END.length() + bodyLength(head);
        return end <= filled ? end : -1;
    }

    private static int bodyLength(String head) {
        int field = head.indexOf(LENGTH);
        if (field < 0) {
            return 0;
        }
        int begin = field + LENGTH.length();
        int end = head.indexOf('\r', begin);
        return Integer.parseInt(
                head.substring(begin, end < 0 ? head.length() : end).strip());
    }
}

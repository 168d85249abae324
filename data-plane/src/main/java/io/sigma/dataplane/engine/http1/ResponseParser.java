package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.engine.relay.ResponseRules;
import io.sigma.dataplane.exchange.ErrorKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the heads of the responses of one connection (RFC 9112 §4). Confined to the event loop. */
final class ResponseParser extends HeadParser {

    private static final byte[] HTTP_1 = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);
    private static final int STATUS_LINE_MAX = 8 * 1024;
    private static final int STATUS_AT = HTTP_1.length + 2;

    private int status;
    private boolean http10;

    ResponseParser(Texts texts, int headBytesMax) {
        super(texts, STATUS_LINE_MAX, headBytesMax);
    }

    int status() {
        return status;
    }

    boolean isHttp10() {
        return http10;
    }

    /** A proxy does so before it forwards the response (RFC 9112 §5.1). */
    @Override
    boolean removesBlanks() {
        return true;
    }

    @Override
    ErrorKind firstLineTooLong() {
        return ErrorKind.HEAD_TOO_LARGE;
    }

    @Override
    void firstLineAgain() {
        // The parts of the line that were read are kept.
    }

    @Override
    void firstLine(byte[] head, int start, int end) {
        boolean begins = end - start >= STATUS_AT + 3
                && Arrays.equals(head, start, start + HTTP_1.length, HTTP_1, 0, HTTP_1.length);
        if (!begins || head[start + STATUS_AT - 1] != Octets.SP || !Octets.isFieldValue(head, start, end)) {
            throw InvalidMessage.malformed("status line");
        }
        byte minor = head[start + HTTP_1.length];
        int at = start + STATUS_AT;
        int code = ResponseRules.status(head[at], head[at + 1], head[at + 2]);
        boolean ends = at + 3 == end || head[at + 3] == Octets.SP;
        if (!ends || code < 0 || minor < '0' || minor > '9') {
            throw InvalidMessage.malformed("status");
        }
        status = code;
        http10 = minor == '0';
    }
}

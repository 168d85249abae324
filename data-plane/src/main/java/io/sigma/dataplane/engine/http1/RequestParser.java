package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.engine.relay.RequestLine;
import io.sigma.dataplane.exchange.ErrorKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the heads of the requests of one connection (RFC 9112 §3). Confined to the event loop. */
final class RequestParser extends HeadParser {

    private static final String[] METHODS = {"GET", "POST", "PUT", "HEAD", "DELETE", "PATCH", "OPTIONS"};
    private static final byte[] HTTP = "HTTP/".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION_LENGTH = HTTP.length + 3;
    /** Method, version and the spaces between, beside the target. */
    private static final int REQUEST_LINE_EXTRA = 64;

    // The parts of a request line that were read so far.
    private static final int NOTHING = 0;
    private static final int METHOD = 1;
    private static final int TARGET = 2;
    private static final int ALL = 3;

    private int known = NOTHING;
    private String method = "";
    private String target = "";
    private boolean http10;
    private @Nullable RequestLine line;

    RequestParser(Texts texts, int targetBytesMax, int headBytesMax) {
        super(texts, targetBytesMax + REQUEST_LINE_EXTRA, headBytesMax);
    }

    /** Sets other limits, for what is read from now on. */
    void limitTarget(int targetBytesMax, int headBytesMax) {
        limit(targetBytesMax + REQUEST_LINE_EXTRA, headBytesMax);
    }

    /**
     * Returns the first line, the same object as for the request before when it says the same. A minor version later
     * than 0 is served as HTTP/1.1 (RFC 9110 §2.5). What could not be read is empty.
     */
    RequestLine line() {
        if (known != ALL) {
            return new RequestLine(known >= METHOD ? method : "", known >= TARGET ? target : "", false);
        }
        RequestLine said = line;
        if (said == null
                || said.http10() != http10
                || !said.target().equals(target)
                || !said.method().equals(method)) {
            said = new RequestLine(method, target, http10);
            line = said;
        }
        return said;
    }

    @Override
    void reset() {
        super.reset();
        known = NOTHING;
    }

    /** Some clients send one too many after a body (RFC 9112 §2.2). */
    @Override
    boolean skipsEmptyLines() {
        return true;
    }

    @Override
    ErrorKind firstLineTooLong() {
        return ErrorKind.TARGET_TOO_LONG;
    }

    @Override
    void firstLineAgain() {
        known = ALL;
    }

    @Override
    void firstLine(byte[] head, int start, int end) {
        int space = start;
        while (Octets.tokenLower(head[space]) != 0) {
            space++;
        }
        if (space == start || head[space] != Octets.SP) {
            throw InvalidMessage.malformed("method");
        }
        keepMethod(method(head, start, space));
        int version = end - VERSION_LENGTH;
        if (version < space + 3 || head[version - 1] != Octets.SP || !isVersion(head, version)) {
            throw InvalidMessage.malformed("request line");
        }
        int targetEnd = version - 1;
        if (!Octets.isVisible(head, space + 1, targetEnd)) {
            throw InvalidMessage.malformed("target");
        }
        keepTarget(text(space + 1, targetEnd));
        if (head[end - 3] != '1') {
            throw new InvalidMessage(ErrorKind.VERSION, "version");
        }
        http10 = head[end - 1] == '0';
        known = ALL;
    }

    /** A reference is stored only where it is another one: each store costs a fence of the collector. */
    @SuppressWarnings("ReferenceEquality")
    private void keepMethod(String text) {
        if (method != text) {
            method = text;
        }
        known = METHOD;
    }

    @SuppressWarnings("ReferenceEquality")
    private void keepTarget(String text) {
        if (target != text) {
            target = text;
        }
        known = TARGET;
    }

    private static boolean isVersion(byte[] head, int at) {
        return Arrays.equals(head, at, at + HTTP.length, HTTP, 0, HTTP.length)
                && isDigit(head[at + HTTP.length])
                && head[at + HTTP.length + 1] == '.'
                && isDigit(head[at + HTTP.length + 2]);
    }

    private static boolean isDigit(byte octet) {
        return octet >= '0' && octet <= '9';
    }

    private String method(byte[] head, int start, int end) {
        for (String candidate : METHODS) {
            if (candidate.length() == end - start && is(candidate, head, start)) {
                return candidate;
            }
        }
        return text(start, end);
    }

    private static boolean is(String candidate, byte[] head, int start) {
        for (int i = 0; i < candidate.length(); i++) {
            if (head[start + i] != candidate.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}

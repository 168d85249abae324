package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.ResponseHead;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Where the body of a message ends (RFC 9112 §6.3). Pure. */
final class Framing {

    /** The body comes in chunks. */
    static final long CHUNKED = -1;

    /** The body ends with the connection. */
    static final long UNTIL_CLOSE = -2;

    private static final int DIGITS_MAX = 18;
    private static final String CONTENT_LENGTH = "content-length";

    private Framing() {}

    /**
     * Returns the length of a request's body, or {@link #CHUNKED}.
     *
     * @throws InvalidMessage when it cannot be told beyond doubt
     */
    static long ofRequest(FieldTable fields, boolean http10) {
        if (!fields.contains("transfer-encoding")) {
            long length = contentLength(fields);
            return length < 0 ? 0 : length;
        }
        List<String> codings = fields.all("transfer-encoding");
        if (http10 || fields.contains("content-length")) {
            throw InvalidMessage.malformed("transfer-encoding");
        }
        String coding = joined(codings);
        if (coding.equals("chunked")) {
            return CHUNKED;
        }
        throw new InvalidMessage(
                isUnknownBeforeChunked(coding) ? ErrorKind.UNKNOWN_CODING : ErrorKind.BAD_REQUEST, "transfer-encoding");
    }

    /**
     * Returns the length of a response's body, {@link #CHUNKED} or {@link #UNTIL_CLOSE}.
     *
     * @param method the method of the request: it decides whether a response has a body
     * @throws InvalidMessage when it cannot be told beyond doubt
     */
    static long ofResponse(FieldTable fields, int status, boolean http10, String method) {
        long length = lengthOfResponse(fields);
        if (fields.contains("transfer-encoding")) {
            List<String> codings = fields.all("transfer-encoding");
            if (length >= 0 || http10 || !joined(codings).equals("chunked")) {
                throw InvalidMessage.malformed("transfer-encoding");
            }
            return ResponseHead.isBodiless(status, method) ? 0 : CHUNKED;
        }
        if (ResponseHead.isBodiless(status, method)) {
            return 0;
        }
        return length < 0 ? UNTIL_CLOSE : length;
    }

    /** Returns the announced length; -1 when none is. */
    private static long contentLength(FieldTable fields) {
        long length = fields.number(CONTENT_LENGTH, DIGITS_MAX);
        if (length < -1) {
            throw InvalidMessage.malformed(CONTENT_LENGTH);
        }
        return length;
    }

    /** As {@link #contentLength}. A repeated number becomes one (RFC 9112 §6.3): some applications add theirs. */
    private static long lengthOfResponse(FieldTable fields) {
        long length = fields.number(CONTENT_LENGTH, DIGITS_MAX);
        if (length >= -1) {
            return length;
        }
        String[] all = String.join(",", fields.all(CONTENT_LENGTH)).split(",", -1);
        String first = all[0].strip();
        boolean number = !first.isEmpty()
                && first.length() <= DIGITS_MAX
                && first.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!number || !Arrays.stream(all).allMatch(value -> value.strip().equals(first))) {
            throw InvalidMessage.malformed(CONTENT_LENGTH);
        }
        fields.set(CONTENT_LENGTH, first);
        return Long.parseLong(first);
    }

    private static String joined(List<String> codings) {
        return String.join(",", codings).toLowerCase(Locale.ROOT).strip();
    }

    /** Returns whether something stands before one last {@code chunked}. */
    private static boolean isUnknownBeforeChunked(String coding) {
        String[] items = coding.split(",", -1);
        for (int i = 0; i < items.length - 1; i++) {
            if (items[i].strip().equals("chunked") || items[i].isBlank()) {
                return false;
            }
        }
        return items.length > 1 && items[items.length - 1].strip().equals("chunked");
    }
}

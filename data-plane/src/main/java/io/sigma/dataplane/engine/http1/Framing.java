package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import java.util.List;
import java.util.Locale;

/** Where the body of a message ends (RFC 9112 §6.3). Pure. */
final class Framing {

    /** The body comes in chunks. */
    static final long CHUNKED = -1;

    /** The body ends with the connection. */
    static final long UNTIL_CLOSE = -2;

    private static final int DIGITS_MAX = 18;

    private Framing() {}

    /**
     * Returns the length of a request's body, or {@link #CHUNKED}.
     *
     * @throws InvalidMessage when it cannot be told beyond doubt
     */
    static long ofRequest(Fields fields, boolean http10) {
        List<String> codings = fields.all("transfer-encoding");
        if (codings.isEmpty()) {
            long length = contentLength(fields);
            return length < 0 ? 0 : length;
        }
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
     * @param method of the request
     * @throws InvalidMessage when it cannot be told beyond doubt
     */
    static long ofResponse(Fields fields, int status, boolean http10, String method) {
        List<String> codings = fields.all("transfer-encoding");
        long length = contentLength(fields);
        if (!codings.isEmpty()) {
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
    private static long contentLength(Fields fields) {
        if (!fields.contains("content-length")) {
            return -1;
        }
        List<String> values = fields.all("content-length");
        String text = values.getFirst();
        boolean digits = !text.isEmpty() && text.length() <= DIGITS_MAX;
        for (int i = 0; digits && i < text.length(); i++) {
            digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        if (values.size() > 1 || !digits) {
            throw InvalidMessage.malformed("content-length");
        }
        return Long.parseLong(text);
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

package io.sigma.dataplane.exchange.rule;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The rules of gRPC over HTTP/2 for an intermediary: deadlines, and failures as gRPC statuses. Pure. */
public final class Grpc {

    private static final String CONTENT_TYPE = "application/grpc";
    private static final int TIMEOUT_DIGITS_MAX = 8;

    private Grpc() {}

    /** Returns whether a request with those fields is a call of gRPC; gRPC-Web, which has its own errors, is not. */
    public static boolean isCall(Fields request) {
        String type = request.get("content-type");
        if (type == null || !type.regionMatches(true, 0, CONTENT_TYPE, 0, CONTENT_TYPE.length())) {
            return false;
        }
        if (type.length() == CONTENT_TYPE.length()) {
            return true;
        }
        char next = type.charAt(CONTENT_TYPE.length());
        return next == '+' || next == ';' || next == ' ';
    }

    /**
     * Returns how long a call may take as its grpc-timeout says, in milliseconds of at least 1, else
     * {@link Exchange#NO_LIMIT}.
     */
    public static long timeoutMillis(Fields request) {
        String text = isCall(request) ? request.get("grpc-timeout") : null;
        if (text == null || text.length() < 2 || text.length() > TIMEOUT_DIGITS_MAX + 1) {
            return Exchange.NO_LIMIT;
        }
        long number = 0;
        for (int i = 0; i < text.length() - 1; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return Exchange.NO_LIMIT;
            }
            number = number * 10 + digit;
        }
        return switch (text.charAt(text.length() - 1)) {
            case 'H' -> Math.max(1, number * 3_600_000);
            case 'M' -> Math.max(1, number * 60_000);
            case 'S' -> Math.max(1, number * 1_000);
            case 'm' -> Math.max(1, number);
            case 'u' -> Math.max(1, number / 1_000);
            case 'n' -> Math.max(1, number / 1_000_000);
            default -> Exchange.NO_LIMIT;
        };
    }

    /** Makes {@code head} a response that is over with its head and tells of a failure. */
    public static void prepare(ErrorKind kind, ResponseHead head) {
        head.status(200);
        head.fields().set("content-type", CONTENT_TYPE);
        head.fields().set("grpc-status", String.valueOf(status(kind.status())));
        head.fields().set("grpc-message", percentEncoded(kind.detail()));
    }

    /** Returns the status code of gRPC for one of HTTP, told more exactly than a client of gRPC would guess it. */
    static int status(int http) {
        return switch (http) {
            case 401 -> 16; // UNAUTHENTICATED
            case 403 -> 7; // PERMISSION_DENIED
            case 404, 405, 415, 421, 501 -> 12; // UNIMPLEMENTED
            case 408, 504 -> 4; // DEADLINE_EXCEEDED
            case 413, 414, 429, 431 -> 8; // RESOURCE_EXHAUSTED
            case 499 -> 1; // CANCELLED
            case 502, 503 -> 14; // UNAVAILABLE
            default -> http < 500 && http >= 400 ? 3 : 13; // INVALID_ARGUMENT, INTERNAL
        };
    }

    private static String percentEncoded(String text) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet >= ' ' && octet < 0x7f && octet != '%') {
                encoded.append((char) octet);
            } else {
                encoded.append(String.format(Locale.ROOT, "%%%02X", octet));
            }
        }
        return encoded.toString();
    }
}

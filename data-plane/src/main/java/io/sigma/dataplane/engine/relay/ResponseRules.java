package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.exchange.Fields;

/**
 * Checks the heads of nodes' responses, for both protocols (RFC 9110 §15). The readers of both protocols call it. Pure.
 */
public final class ResponseRules {

    /** Interim responses to one request; more is no way to answer. */
    public static final int INTERIM_MAX = 16;

    /** Longest head of a response, and longest trailer section, in octets. */
    public static final int HEAD_BYTES_MAX = 64 * 1024;

    private static final int SWITCHING = 101;
    private static final int DIGITS = 3;
    private static final String EVENT_STREAM = "text/event-stream";

    private ResponseRules() {}

    /** Returns the status that three octets say; -1 when they say none. */
    public static int status(int hundreds, int tens, int ones) {
        boolean digits = hundreds >= '1' && hundreds <= '9' && isDigit(tens) && isDigit(ones);
        return digits ? ((hundreds - '0') * 10 + tens - '0') * 10 + ones - '0' : -1;
    }

    /** Returns the status that {@code text} says; -1 when it says none. */
    public static int status(String text) {
        return text.length() == DIGITS ? status(text.charAt(0), text.charAt(1), text.charAt(2)) : -1;
    }

    private static boolean isDigit(int octet) {
        return octet >= '0' && octet <= '9';
    }

    /** Returns whether another head follows one with {@code status}. */
    public static boolean isInterim(int status) {
        return status < 200 && status != SWITCHING;
    }

    /** Returns whether the connection becomes another one after a head with {@code status}. */
    public static boolean isSwitching(int status) {
        return status == SWITCHING;
    }

    /** Returns whether the response is a stream of events (HTML, Server-sent events), which may last. */
    static boolean isEventStream(Fields fields) {
        String type = fields.get("content-type");
        return type != null && type.regionMatches(true, 0, EVENT_STREAM, 0, EVENT_STREAM.length());
    }
}

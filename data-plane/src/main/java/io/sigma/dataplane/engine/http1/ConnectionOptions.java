package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.Fields;
import java.util.List;

/** Decides if a connection persists after a message (RFC 9112 §9.3), and for how long. Pure. */
final class ConnectionOptions {

    private static final String TIMEOUT = "timeout=";
    private static final int MILLIS_OF_SECOND = 1_000;
    /** A connection that is kept for longer is closed by the pool before. */
    private static final int SECONDS_DIGITS_MAX = 5;

    private ConnectionOptions() {}

    static boolean isPersistent(Fields fields, boolean http10) {
        if (!fields.contains("connection")) {
            return !http10;
        }
        if (ConnectionFields.isKeepAlive(fields)) {
            return true;
        }
        List<String> values = fields.all("connection");
        return !has(values, "close") && (!http10 || has(values, "keep-alive"));
    }

    /**
     * Returns how long a connection may wait for its next request, in milliseconds, by what its node says (Keep-Alive,
     * RFC 2068 §19.7.1.1): a second less, or half of it, as the next request takes time to arrive. Without a word it is
     * {@link Integer#MAX_VALUE}.
     */
    static int idleMillisMax(Fields fields) {
        String value = fields.get("keep-alive");
        if (value == null) {
            return Integer.MAX_VALUE;
        }
        for (String item : value.split(",", -1)) {
            String parameter = item.strip();
            if (parameter.regionMatches(true, 0, TIMEOUT, 0, TIMEOUT.length())) {
                return lessThan(parameter.substring(TIMEOUT.length()));
            }
        }
        return Integer.MAX_VALUE;
    }

    private static int lessThan(String seconds) {
        boolean isNumber = !seconds.isEmpty() && seconds.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        if (!isNumber || seconds.length() > SECONDS_DIGITS_MAX) {
            return Integer.MAX_VALUE;
        }
        int millis = Integer.parseInt(seconds) * MILLIS_OF_SECOND;
        return Math.max(millis - MILLIS_OF_SECOND, millis / 2);
    }

    private static boolean has(List<String> values, String option) {
        for (String value : values) {
            for (String item : value.split(",", -1)) {
                if (item.strip().equalsIgnoreCase(option)) {
                    return true;
                }
            }
        }
        return false;
    }
}

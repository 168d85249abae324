package io.sigma.dataplane.flow;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.InvalidRequest;
import java.util.List;

/**
 * The number of hops that an OPTIONS request may still take (RFC 9110 §7.6.2). {@code ExchangeHandler} decrements it.
 */
public final class MaxForwards {

    private static final String FIELD = "max-forwards";
    /** Longer numbers are sent on as the largest one of this length. */
    private static final int DIGITS_MAX = 9;

    private static final int MAX = 999_999_999;

    private MaxForwards() {}

    /**
     * Counts one more forwarding in {@code fields} of a request, if they count at all.
     *
     * @return false when the request may not be forwarded, so that it is answered here
     * @throws InvalidRequest when the field is not one number
     */
    public static boolean count(Fields fields) {
        List<String> values = fields.all(FIELD);
        if (values.isEmpty()) {
            return true;
        }
        String value = values.getFirst();
        if (values.size() > 1 || value.isEmpty() || !value.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, FIELD);
        }
        int left = value.length() > DIGITS_MAX ? MAX : Integer.parseInt(value);
        if (left == 0) {
            return false;
        }
        fields.set(FIELD, String.valueOf(left - 1));
        return true;
    }
}

package io.sigma.dataplane.flow;

import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;

/**
 * Fields without which some statuses must not be sent (RFC 9110 §11.6.1, §11.7.1, §10.2.1), for answers whose status
 * the configuration or an extension chose without them. Changes only the head given.
 */
final class RequiredFields {

    /** A scheme that no client knows, so that none asks a person for a password. */
    private static final String CHALLENGE = "Key realm=\"sigma\"";
    /** The resource allows no method now (RFC 9110 §10.2.1). */
    private static final String NO_METHOD = "";

    private RequiredFields() {}

    /** Adds what {@code answer} lacks. */
    static void addTo(ResponseHead answer) {
        switch (answer.status()) {
            case 401 -> orElse(answer.fields(), "www-authenticate", CHALLENGE);
            case 405 -> orElse(answer.fields(), "allow", NO_METHOD);
            case 407 -> orElse(answer.fields(), "proxy-authenticate", CHALLENGE);
            default -> {
                // No other that is made here needs one.
            }
        }
    }

    private static void orElse(Fields fields, String name, String value) {
        if (!fields.contains(name)) {
            fields.set(name, value);
        }
    }
}

package io.sigma.dataplane.exchange.rule;

import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.RequestHead;

/**
 * Adds an element to {@code Via} of each forwarded request (RFC 9110 §7.6.3): the protocol of the received request, and
 * a pseudonym in place of the gateway's host. Changes only the fields given.
 */
public final class Via {

    private static final FieldLine HTTP_1_0 = said("1.0");
    private static final FieldLine HTTP_1_1 = said("1.1");
    /** The version has a minor number although HTTP/2 has none (§2.5). */
    private static final FieldLine HTTP_2 = said("2.0");

    private Via() {}

    private static FieldLine said(String version) {
        return new FieldLine("via", version + " sigma");
    }

    public static void add(RequestHead request) {
        request.fields()
                .append(
                        switch (request.protocol()) {
                            case "HTTP/1.0" -> HTTP_1_0;
                            case "HTTP/1.1" -> HTTP_1_1;
                            default -> HTTP_2;
                        });
    }
}

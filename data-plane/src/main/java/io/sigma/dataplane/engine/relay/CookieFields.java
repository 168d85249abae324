package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.exchange.Fields;

/** Joins the Cookie fields of a request. The requests to nodes of both protocols call it. Pure. */
public final class CookieFields {

    private CookieFields() {}

    /** Joins what HTTP/2 may have split (RFC 9113 §8.2.3). */
    public static void join(Fields fields) {
        if (fields.count("cookie") > 1) {
            fields.set("cookie", String.join("; ", fields.all("cookie")));
        }
    }
}

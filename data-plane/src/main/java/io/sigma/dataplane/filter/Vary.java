package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.Fields;

/** Tells caches what a response depends on (RFC 9110 §12.5.5). Pure but for the fields given. */
public final class Vary {

    public static final FieldLine ACCEPT_ENCODING = on("Accept-Encoding");
    public static final FieldLine ORIGIN = on("Origin");
    public static final FieldLine REQUEST_METHOD = on("Access-Control-Request-Method");
    public static final FieldLine REQUEST_HEADERS = on("Access-Control-Request-Headers");

    private Vary() {}

    private static FieldLine on(String name) {
        return new FieldLine("vary", name);
    }

    /** Adds one of the lines above, unless its field is named already. */
    public static void add(Fields fields, FieldLine line) {
        for (String value : fields.all(line.name())) {
            for (String item : value.split(",", -1)) {
                String bare = item.strip();
                if (bare.equals("*") || bare.equalsIgnoreCase(line.value())) {
                    return;
                }
            }
        }
        fields.add(line);
    }
}

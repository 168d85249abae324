package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.Fields;

/** Tells caches what a response depends on (RFC 9110 §12.5.5). Pure but for the fields given. */
final class Vary {

    private Vary() {}

    static void add(Fields fields, String name) {
        for (String value : fields.all("vary")) {
            for (String item : value.split(",", -1)) {
                String bare = item.strip();
                if (bare.equals("*") || bare.equalsIgnoreCase(name)) {
                    return;
                }
            }
        }
        fields.add("vary", name);
    }
}

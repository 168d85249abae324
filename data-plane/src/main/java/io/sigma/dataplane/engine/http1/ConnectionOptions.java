package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.Fields;
import java.util.List;

/** Decides if a connection persists after a message (RFC 9112 §9.3). Pure. */
final class ConnectionOptions {

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

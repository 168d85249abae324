package io.sigma.dataplane.engine.vertx;

import io.vertx.core.MultiMap;
import org.jspecify.annotations.Nullable;

/** Decides which responses a compressing listener leaves alone. Pure but for the fields given. */
final class Compression {

    private static final String IDENTITY = "identity";

    private Compression() {}

    /** Marks what must not be compressed, and tells caches that the representation depends on Accept-Encoding. */
    static void prepare(int status, MultiMap fields) {
        String type = fields.get("content-type");
        boolean partial = status == 206 || fields.contains("content-range");
        if (!fields.contains("content-encoding") && (partial || isStreamed(type) || isFixed(fields))) {
            fields.set("content-encoding", IDENTITY);
            return;
        }
        for (String value : fields.getAll("vary")) {
            if (value.equals("*") || value.toLowerCase(java.util.Locale.ROOT).contains("accept-encoding")) {
                return;
            }
        }
        fields.add("vary", "Accept-Encoding");
    }

    /** Events would be held back until a block is full. */
    private static boolean isStreamed(@Nullable String type) {
        return type != null && (type.startsWith("text/event-stream") || type.startsWith("application/grpc"));
    }

    /** RFC 9111 §5.2.2.6. */
    private static boolean isFixed(MultiMap fields) {
        String control = fields.get("cache-control");
        return control != null && control.contains("no-transform");
    }
}

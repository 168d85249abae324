package io.sigma.controlplane.api;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The time that each response says (RFC 9110 §6.6.1). Thread-safe. */
final class ResponseDate {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private ResponseDate() {}

    /** Returns the time now, as HTTP writes it (RFC 9110 §5.6.7). */
    static String now() {
        return FORMAT.format(Instant.now());
    }
}

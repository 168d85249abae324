package io.sigma.dataplane.exchange.rule;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The Date field (RFC 9110 §6.6.1), formatted once a second. Thread-safe. */
public final class HttpDate {

    private static final DateTimeFormatter FIXDATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    private record Second(long epochSecond, String text) {}

    private static volatile Second latest = new Second(-1, "");

    private HttpDate() {}

    /** Returns the current time. */
    public static String now() {
        long second = System.currentTimeMillis() / 1000;
        Second known = latest;
        if (known.epochSecond != second) {
            known = new Second(second, format(Instant.ofEpochSecond(second)));
            latest = known;
        }
        return known.text;
    }

    /** Returns {@code time} as an IMF-fixdate. */
    public static String format(Instant time) {
        return FIXDATE.format(time.atZone(ZoneOffset.UTC));
    }
}

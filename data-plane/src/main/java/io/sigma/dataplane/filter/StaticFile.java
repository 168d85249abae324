package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.Fields;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * A file that is served.
 *
 * @param folder whether it is a folder whose URL lacks the slash at its end
 */
record StaticFile(Path path, boolean folder, long length, Instant modified, String contentType) {

    /** IMF-fixdate (RFC 9110 §5.6.7). */
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    String entityTag() {
        return "W/\"" + Long.toHexString(length) + "-" + Long.toHexString(modified.toEpochMilli()) + "\"";
    }

    String lastModified() {
        return HTTP_DATE.format(modified.atZone(ZoneOffset.UTC));
    }

    /** Returns whether what the client has is this (RFC 9110 §13.2.2). */
    boolean isFresh(Fields request) {
        String tags = request.get("if-none-match");
        if (tags != null) {
            return tags.strip().equals("*") || tags.contains(entityTag().substring(2));
        }
        String since = request.get("if-modified-since");
        if (since == null) {
            return false;
        }
        try {
            Instant known = ZonedDateTime.parse(since, HTTP_DATE.withZone(ZoneOffset.UTC))
                    .toInstant();
            return !modified.truncatedTo(ChronoUnit.SECONDS).isAfter(known);
        } catch (DateTimeException e) {
            return false;
        }
    }
}

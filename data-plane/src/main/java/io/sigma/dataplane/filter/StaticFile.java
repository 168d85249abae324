package io.sigma.dataplane.filter;

import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.exchange.Fields;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A file that is served.
 *
 * @param file may be a folder, whose URL lacks the slash at its end
 */
record StaticFile(ServedFile file, String contentType) {

    /** IMF-fixdate (RFC 9110 §5.6.7). */
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    boolean folder() {
        return file.folder();
    }

    long length() {
        return file.length();
    }

    private Instant modified() {
        return file.modified();
    }

    /** Returns a strong entity tag (RFC 9110 §8.8.3): no two contents that are served share length and time of change. */
    String entityTag() {
        Instant changed = modified();
        String seconds = Long.toHexString(changed.getEpochSecond());
        return "\"" + Long.toHexString(length()) + "-" + seconds + "-" + Integer.toHexString(changed.getNano()) + "\"";
    }

    String lastModified() {
        return HTTP_DATE.format(modified().atZone(ZoneOffset.UTC));
    }

    /** Returns whether what the client has is this (RFC 9110 §13.2.2). */
    boolean isFresh(Fields request) {
        String tags = request.get("if-none-match");
        if (tags != null) {
            return tags.strip().equals("*") || tags.contains(entityTag());
        }
        Instant known = date(request.get("if-modified-since"));
        return known != null && !modified().truncatedTo(ChronoUnit.SECONDS).isAfter(known);
    }

    /** Returns which part of the file is asked for; null for all of it (RFC 9110 §13.1.5, §14.2). */
    @Nullable
    ByteRange range(Fields request) {
        String range = request.get("range");
        if (range == null) {
            return null;
        }
        String condition = request.get("if-range");
        boolean holds = condition == null
                || condition.equals(entityTag())
                || modified().truncatedTo(ChronoUnit.SECONDS).equals(date(condition));
        return holds ? ByteRange.parse(range, length()) : null;
    }

    private static @Nullable Instant date(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return ZonedDateTime.parse(text, HTTP_DATE.withZone(ZoneOffset.UTC)).toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }
}

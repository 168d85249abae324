package io.sigma.dataplane.filter.content;

import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.rule.HttpDate;
import io.sigma.dataplane.exchange.rule.Preconditions;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A file that is served.
 *
 * @param file may be a folder, whose URL lacks the slash at its end
 * @param found when it was as {@code file} says
 */
record StaticFile(ServedFile file, String contentType, Instant found) {

    /** More than what clocks of file systems go on by at a time. */
    private static final Duration CLOCK_STEP = Duration.ofSeconds(1);

    boolean folder() {
        return file.folder();
    }

    long length() {
        return file.length();
    }

    private Instant modified() {
        return file.modified();
    }

    /**
     * Returns the entity tag, of length and time of change. It is strong (RFC 9110 §8.8.1) once no further change can
     * have the same time, because clocks of file systems are coarse; before that it is weak, and is none that the file
     * has later.
     */
    String entityTag() {
        Instant changed = modified();
        String seconds = Long.toHexString(changed.getEpochSecond());
        String opaque = Long.toHexString(length()) + "-" + seconds + "-" + Integer.toHexString(changed.getNano());
        return changed.isBefore(found.minus(CLOCK_STEP)) ? "\"" + opaque + "\"" : "W/\"" + opaque + "-new\"";
    }

    /** Returns what Last-Modified says: no time after that of the answer (RFC 9110 §8.8.2.1). */
    String lastModified() {
        return HttpDate.format(modified().isAfter(found) ? found : modified());
    }

    /** Returns what the conditions of the request come to (RFC 9110 §13.2.2). */
    Preconditions.Outcome conditions(Fields request) {
        return Preconditions.evaluate(request, entityTag(), modified());
    }

    /** Returns which part of the file is asked for; null for all of it (RFC 9110 §13.1.5, §14.2). */
    @Nullable
    ByteRange range(Fields request) {
        String range = request.count("range") == 1 ? request.get("range") : null;
        boolean holds = range != null && Preconditions.rangeHolds(request, entityTag(), modified(), Instant.now());
        return range != null && holds ? ByteRange.parse(range, length()) : null;
    }
}

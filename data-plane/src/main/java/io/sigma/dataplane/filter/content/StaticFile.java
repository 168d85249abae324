package io.sigma.dataplane.filter.content;

import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.HttpDate;
import io.sigma.dataplane.exchange.Preconditions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A file that is served.
 *
 * @param file may be a folder, whose URL lacks the slash at its end
 */
record StaticFile(ServedFile file, String contentType) {

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
     * Returns a strong entity tag (RFC 9110 §8.8.3): no two contents that are served share length and time of change.
     */
    String entityTag() {
        Instant changed = modified();
        String seconds = Long.toHexString(changed.getEpochSecond());
        return "\"" + Long.toHexString(length()) + "-" + seconds + "-" + Integer.toHexString(changed.getNano()) + "\"";
    }

    String lastModified() {
        return HttpDate.format(modified());
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

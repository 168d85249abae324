package io.sigma.dataplane.match;

import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.value.InvalidValue;
import io.sigma.value.MediaRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Content-Type and Accept against the media types of a route. Pure. */
final class MediaTypes {

    /** The media type of a body without Content-Type (RFC 9110 §8.3). */
    private static final MediaRange UNTYPED = new MediaRange("application", "octet-stream");

    private MediaTypes() {}

    /** Returns whether the request's body has one of the types; a request without body has no wrong type. */
    static boolean consumes(List<MediaRange> types, RequestHead head) {
        String contentType = head.fields().get("content-type");
        if (contentType == null && !head.hasBody()) {
            return true;
        }
        MediaRange type = contentType == null ? UNTYPED : parse(contentType);
        return type != null && overlap(types, type);
    }

    /** Returns whether the client accepts one of the types (RFC 9110 §12.5.1); an invalid media range is skipped. */
    static boolean accepted(List<MediaRange> types, RequestHead head) {
        List<String> accept = head.fields().all("accept");
        if (accept.isEmpty()) {
            return true;
        }
        for (String field : accept) {
            int start = 0;
            while (start <= field.length()) {
                int comma = field.indexOf(',', start);
                int end = comma < 0 ? field.length() : comma;
                String item = field.substring(start, end);
                MediaRange range = isRefused(item) ? null : parse(item);
                if (range != null && overlap(types, range)) {
                    return true;
                }
                start = end + 1;
            }
        }
        return false;
    }

    private static boolean overlap(List<MediaRange> types, MediaRange range) {
        for (MediaRange type : types) {
            if (type.overlaps(range)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the item has a weight of zero. */
    private static boolean isRefused(String item) {
        int semicolon = item.indexOf(';');
        if (semicolon < 0) {
            return false;
        }
        for (String parameter : item.substring(semicolon + 1).split(";", -1)) {
            String bare = parameter.strip();
            if (bare.startsWith("q=") || bare.startsWith("Q=")) {
                return bare.substring(2).chars().allMatch(c -> c == '0' || c == '.');
            }
        }
        return false;
    }

    private static @Nullable MediaRange parse(String text) {
        try {
            return MediaRange.parse(text);
        } catch (InvalidValue e) {
            return null;
        }
    }
}

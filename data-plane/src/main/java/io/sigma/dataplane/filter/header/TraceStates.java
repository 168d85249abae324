package io.sigma.dataplane.filter.header;

import java.util.ArrayList;
import java.util.List;

/** Shortens what vendors say of a trace, which spans keep until they are sent (W3C Trace Context §3.3.1.5). Pure. */
final class TraceStates {

    /** As much as everybody has to pass on, in characters. */
    static final int LENGTH_MAX = 512;

    /** Longer members go first. */
    private static final int MEMBER_LENGTH_MAX = 128;

    private TraceStates() {}

    /** Returns {@code text} without the members for which there is no room: the longest, then the last ones. */
    static String bounded(String text) {
        if (text.length() <= LENGTH_MAX) {
            return text;
        }
        List<String> members = new ArrayList<>();
        int length = 0;
        for (int start = 0; start <= text.length(); ) {
            int comma = text.indexOf(',', start);
            int end = comma < 0 ? text.length() : comma;
            int more = end - start + (members.isEmpty() ? 0 : 1);
            if (end - start <= MEMBER_LENGTH_MAX) {
                if (length + more > LENGTH_MAX) {
                    break;
                }
                members.add(text.substring(start, end));
                length += more;
            }
            start = end + 1;
        }
        return String.join(",", members);
    }
}

package io.sigma.value;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names that become a segment of a path: ids of resources, gateways and control planes, names of tokens and imports.
 * The contract has the same rule as {@code Id}. Pure.
 */
public final class ResourceId {

    /** The form of an id, for messages. */
    public static final String EXPECTATION = "1 to 64 of A-Z a-z 0-9 . _ -, not . and not ..";

    // A single class of characters, so matching is linear.
    private static final Pattern CHARACTERS = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** They mean this folder and the one above it, also percent-encoded, so that no request could name them. */
    private static final Set<String> DOT_SEGMENTS = Set.of(".", "..");

    private static final String ESCAPE = "~";

    private ResourceId() {}

    /** Returns whether {@code id} can be given to something new. */
    public static boolean isValid(String id) {
        return CHARACTERS.matcher(id).matches() && !DOT_SEGMENTS.contains(id);
    }

    /**
     * Returns the segment of a path that names {@code id}; what older versions let be called . or .. has a tilde before
     * it.
     */
    public static String toSegment(String id) {
        return DOT_SEGMENTS.contains(id) ? ESCAPE + id : id;
    }

    /** Returns what a segment of a path names. */
    public static String ofSegment(String segment) {
        String rest = segment.startsWith(ESCAPE) ? segment.substring(ESCAPE.length()) : segment;
        return DOT_SEGMENTS.contains(rest) ? rest : segment;
    }
}

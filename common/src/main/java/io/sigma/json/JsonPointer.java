package io.sigma.json;

/** Builds JSON pointers (RFC 6901). Pure. */
public final class JsonPointer {

    private JsonPointer() {}

    /** Returns the pointer made of {@code segments}, each a property name or an array index. */
    public static String of(Object... segments) {
        StringBuilder pointer = new StringBuilder();
        for (Object segment : segments) {
            pointer.append('/').append(escape(String.valueOf(segment)));
        }
        return pointer.toString();
    }

    private static String escape(String segment) {
        return segment.replace("~", "~0").replace("/", "~1");
    }
}

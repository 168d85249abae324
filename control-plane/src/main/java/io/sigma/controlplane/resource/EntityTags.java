package io.sigma.controlplane.resource;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The value of {@code If-Match} or {@code If-None-Match} (RFC 9110 §13.1). Immutable.
 *
 * @param any whether the field was {@code *}
 * @param tags those of the field that can match
 */
public record EntityTags(boolean present, boolean any, List<String> tags) {

    /** No such field. */
    public static final EntityTags NONE = new EntityTags(false, false, List.of());

    // Linear: the classes exclude each other at every step.
    private static final Pattern ELEMENT =
            Pattern.compile("[ \\t]*(W/)?(\"[!\\x23-\\x7e\\x80-\\xff]*\")[ \\t]*(?:,|$)");

    public EntityTags {
        tags = List.copyOf(tags);
    }

    /**
     * Returns a parsed {@code If-Match}; {@link #NONE} for null. Weak tags never match and are left out.
     *
     * @throws FailureException with {@link Failure.BadRequest} when it is malformed
     */
    public static EntityTags ifMatch(@Nullable String value) {
        return parse("If-Match", value, false);
    }

    /**
     * Returns a parsed {@code If-None-Match}; {@link #NONE} for null. Weak tags count as the strong ones that they
     * name.
     *
     * @throws FailureException with {@link Failure.BadRequest} when it is malformed
     */
    public static EntityTags ifNoneMatch(@Nullable String value) {
        return parse("If-None-Match", value, true);
    }

    private static EntityTags parse(String field, @Nullable String value, boolean weak) {
        if (value == null) {
            return NONE;
        }
        if (value.strip().equals("*")) {
            return new EntityTags(true, true, List.of());
        }
        List<String> tags = new ArrayList<>();
        Matcher matcher = ELEMENT.matcher(value);
        int end = 0;
        while (end < value.length()) {
            if (!matcher.region(end, value.length()).lookingAt()) {
                throw new FailureException(new Failure.BadRequest(
                        field + ": " + value + " (expected: * or entity tags in double quotes, such as \"42-0f\")"));
            }
            if (weak || matcher.group(1) == null) {
                tags.add(matcher.group(2));
            }
            end = matcher.end();
        }
        return new EntityTags(true, false, tags);
    }

    /** Returns whether what has {@code tag} is meant. */
    public boolean has(String tag) {
        return any || tags.contains(tag);
    }
}

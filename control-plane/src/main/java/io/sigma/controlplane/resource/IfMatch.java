package io.sigma.controlplane.resource;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The precondition of a write (RFC 9110 §13.1.1). Immutable.
 *
 * @param any whether the field was {@code *}
 * @param tags the strong tags of the field; weak ones never match and are left out
 */
public record IfMatch(boolean present, boolean any, List<String> tags) {

    /** No precondition. */
    public static final IfMatch NONE = new IfMatch(false, false, List.of());

    // Linear: the classes exclude each other at every step.
    private static final Pattern ELEMENT =
            Pattern.compile("[ \\t]*(W/)?(\"[!\\x23-\\x7e\\x80-\\xff]*\")[ \\t]*(?:,|$)");

    public IfMatch {
        tags = List.copyOf(tags);
    }

    /**
     * Returns the parsed field value; {@link #NONE} for null.
     *
     * @throws FailureException with {@link Failure.BadRequest} when it is malformed
     */
    public static IfMatch parse(@Nullable String value) {
        if (value == null) {
            return NONE;
        }
        if (value.strip().equals("*")) {
            return new IfMatch(true, true, List.of());
        }
        List<String> tags = new ArrayList<>();
        Matcher matcher = ELEMENT.matcher(value);
        int end = 0;
        while (end < value.length()) {
            if (!matcher.region(end, value.length()).lookingAt()) {
                throw new FailureException(new Failure.BadRequest(
                        "If-Match: " + value + " (expected: * or entity tags in double quotes, such as \"42-0f\")"));
            }
            if (matcher.group(1) == null) {
                tags.add(matcher.group(2));
            }
            end = matcher.end();
        }
        return new IfMatch(true, false, tags);
    }

    /**
     * Returns normally when a write to what has {@code tag} may go on.
     *
     * @throws FailureException with {@link Failure.PreconditionFailed} and the current tag
     */
    void check(String tag) {
        check(tag, tag);
    }

    /**
     * Returns normally when a write to what has {@code tag}, and {@code other} as well, may go on.
     *
     * @throws FailureException with {@link Failure.PreconditionFailed} and {@code tag}
     */
    void check(String tag, String other) {
        if (present && !any && !tags.contains(tag) && !tags.contains(other)) {
            throw new FailureException(new Failure.PreconditionFailed(
                    "The configuration was changed meanwhile; its tag is " + tag + ".", tag));
        }
    }

    /**
     * Returns normally when a write to {@code existing} may go on.
     *
     * @throws FailureException with {@link Failure.PreconditionFailed} and the current tag
     */
    void check(@Nullable Stored<?> existing) {
        if (!present || (existing != null && (any || tags.contains(existing.tag())))) {
            return;
        }
        String detail = existing == null
                ? "There is no such resource (expected: one with a tag of If-Match)."
                : "The resource was changed meanwhile; its tag is " + existing.tag() + ".";
        throw new FailureException(new Failure.PreconditionFailed(detail, existing == null ? null : existing.tag()));
    }
}

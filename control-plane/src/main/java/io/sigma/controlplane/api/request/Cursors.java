package io.sigma.controlplane.api.request;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Opaque names of where the next page begins: the key of the last item, in base64url. Pure. */
public final class Cursors {

    private Cursors() {}

    /** Returns the cursor for the page after {@code key}; null for null, when there is no such page. */
    public static @Nullable String of(@Nullable Object key) {
        return key == null
                ? null
                : Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(String.valueOf(key).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the id in {@code cursor}; empty, which is before every id, for null. */
    public static String id(@Nullable String cursor) {
        String id = cursor == null ? "" : decode(cursor);
        if (cursor != null && !id.matches("[A-Za-z0-9._-]{1,64}")) {
            throw refused(cursor);
        }
        return id;
    }

    /** As {@link #id}, for names of users. */
    public static String name(@Nullable String cursor) {
        String name = cursor == null ? "" : decode(cursor);
        if (cursor != null && !name.matches("[A-Za-z0-9._@-]{1,64}")) {
            throw refused(cursor);
        }
        return name;
    }

    /** Returns the number in {@code cursor}; the largest for null. */
    public static long number(@Nullable String cursor) {
        String number = cursor == null ? String.valueOf(Long.MAX_VALUE) : decode(cursor);
        if (!number.matches("[0-9]{1,19}")) {
            throw refused(String.valueOf(cursor));
        }
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException e) {
            throw refused(String.valueOf(cursor));
        }
    }

    /** Returns the groups of {@code pattern}, which all of {@code cursor} must match. */
    public static List<String> parts(String cursor, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(decode(cursor));
        if (!matcher.matches()) {
            throw refused(cursor);
        }
        return IntStream.rangeClosed(1, matcher.groupCount())
                .mapToObj(matcher::group)
                .toList();
    }

    private static String decode(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw refused(cursor);
        }
    }

    private static FailureException refused(String cursor) {
        return new FailureException(
                new Failure.BadRequest("cursor: \"" + cursor + "\" (expected: the nextCursor of the page before)"));
    }
}

package io.sigma.check;

import io.sigma.value.Mismatch;
import io.sigma.value.Tokens;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Methods of a route. Methods are case-sensitive tokens, so {@code get} or {@code GTE} would silently never match:
 * whatever is but a slip away from a registered method is refused.
 */
public final class Methods {

    private static final List<String> KNOWN =
            List.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE");

    /** Registered methods beyond RFC 9110 that are close in spelling to one of {@link #KNOWN}. */
    private static final List<String> EXTENSIONS =
            List.of("PROPFIND", "PROPPATCH", "LOCK", "UNLOCK", "SEARCH", "PURGE");

    private Methods() {}

    static void check(Findings findings, String method, Object... pointer) {
        boolean token = Tokens.isToken(method);
        findings.require(token, Mismatch.quoted(method, "a method such as GET"), pointer);
        Mismatch slip = token ? slip(method) : null;
        if (slip != null) {
            findings.require(false, slip, pointer);
        }
    }

    /** Returns why no route may have {@code method}, a token: a registered one was probably meant; null if it may. */
    public static @Nullable Mismatch slip(String method) {
        if (KNOWN.contains(method) || EXTENSIONS.contains(method)) {
            return null;
        }
        String upper = method.toUpperCase(Locale.ROOT);
        return KNOWN.stream()
                .filter(known -> isSlip(upper, known))
                .findFirst()
                .map(known -> Mismatch.quoted(
                        method, "a method such as " + String.join(", ", KNOWN) + "; " + known + " was probably meant"))
                .orElse(null);
    }

    /** Returns whether the two differ by at most one insertion, deletion, replacement or swap. */
    private static boolean isSlip(String a, String b) {
        if (Math.abs(a.length() - b.length()) > 1) {
            return false;
        }
        int i = 0;
        while (i < a.length() && i < b.length() && a.charAt(i) == b.charAt(i)) {
            i++;
        }
        String restA = a.substring(i);
        String restB = b.substring(i);
        return restA.equals(restB)
                || tail(restA, 1).equals(tail(restB, 1))
                || tail(restA, 1).equals(restB)
                || restA.equals(tail(restB, 1))
                || isSwap(restA, restB);
    }

    private static boolean isSwap(String a, String b) {
        return a.length() >= 2
                && b.length() >= 2
                && a.charAt(0) == b.charAt(1)
                && a.charAt(1) == b.charAt(0)
                && tail(a, 2).equals(tail(b, 2));
    }

    private static String tail(String text, int from) {
        return text.substring(Math.min(from, text.length()));
    }
}

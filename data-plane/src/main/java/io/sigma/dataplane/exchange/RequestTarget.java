package io.sigma.dataplane.exchange;

import io.sigma.value.InvalidValue;
import io.sigma.value.NormalPath;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The target of a request (RFC 9112 §3.2) in origin or absolute form.
 *
 * @param path in normal form
 * @param unmergedPath the same with its empty segments; equal when it has none
 * @param query without the question mark, with the encodings of characters that no URI has; null when there is none
 * @param authority of an absolute target; null for one in origin form
 */
public record RequestTarget(
        String path,
        String unmergedPath,
        @Nullable String query,
        @Nullable String authority) {

    /** The path of a request for the server as a whole, which no prefix is put before (RFC 9112 §3.2.4). */
    private static final String WHOLE = "*";

    /** Returns whether a request with that path is for the server as a whole. */
    public static boolean isWhole(String path) {
        return path.equals(WHOLE);
    }

    /**
     * Returns what {@code target} says; the asterisk is taken for OPTIONS only, with the path {@code *}, which an
     * absolute target without path and query has too.
     *
     * @throws InvalidRequest when it is in no such form, or a path has no normal form
     */
    public static RequestTarget parse(String target, String method) {
        if (target.startsWith("/")) {
            return split(target, null);
        }
        boolean options = method.equals("OPTIONS");
        if (options && isWhole(target)) {
            return new RequestTarget(WHOLE, WHOLE, null, null);
        }
        int scheme = target.indexOf("://");
        String name = scheme < 0 ? "" : target.substring(0, scheme).toLowerCase(Locale.ROOT);
        if (!name.equals("http") && !name.equals("https")) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "target");
        }
        int start = scheme + 3;
        int end = start;
        while (end < target.length() && "/?#".indexOf(target.charAt(end)) < 0) {
            end++;
        }
        String rest = target.substring(end);
        String authority = target.substring(start, end);
        return options && rest.isEmpty()
                ? new RequestTarget(WHOLE, WHOLE, null, authority)
                : split(rest.startsWith("/") ? rest : "/" + rest, authority);
    }

    private static RequestTarget split(String target, @Nullable String authority) {
        int question = target.indexOf('?');
        String raw = question < 0 ? target : target.substring(0, question);
        String query = question < 0 ? null : target.substring(question + 1);
        if (raw.indexOf('#') >= 0 || (query != null && !isQuery(query))) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "target");
        }
        try {
            String path = NormalPath.of(raw);
            String unmerged = raw.contains("//") ? NormalPath.of(raw, false) : path;
            return new RequestTarget(path, unmerged, query == null ? null : NormalPath.encoded(query), authority);
        } catch (InvalidValue e) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isQuery(String query) {
        for (int i = 0; i < query.length(); i++) {
            char c = query.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#') {
                return false;
            }
        }
        return true;
    }
}

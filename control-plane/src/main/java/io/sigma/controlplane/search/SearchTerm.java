package io.sigma.controlplane.search;

import io.sigma.model.SearchField;
import io.sigma.value.HostPattern;
import io.sigma.value.InvalidValue;
import io.sigma.value.NormalPath;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A word of a query. Immutable.
 *
 * @param field where values begin with {@code text}; null where any value may contain it
 * @param text in lower case
 * @param as what else finds a resource
 * @param meant the path as a gateway matches it, the host without a port, or the method; the text for {@code TEXT}
 * @param port of a {@code SITE}; 0 for none
 */
record SearchTerm(@Nullable SearchField field, String text, As as, String meant, int port) {

    /** The meanings of a word beside a part of a value. */
    enum As {
        /** Nothing else. */
        TEXT,
        /** The path of a request, which routes take. */
        PATH,
        /** The host of a request with a path, which routers take. */
        HOST,
        /** A host or a port alone, which routers name and proxy servers listen on. */
        SITE,
        /** The method of a request, which routes take. */
        METHOD
    }

    static SearchTerm text(String text) {
        return of(text, As.TEXT, text, 0);
    }

    static SearchTerm field(SearchField field, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return new SearchTerm(field, lower, As.TEXT, lower, 0);
    }

    /** Returns a term for the path of a request, without its query. */
    static SearchTerm path(String path) {
        String normal = normal(path);
        return of(normal, As.PATH, normal, 0);
    }

    /** Returns a term for a host that stands before a path. */
    static SearchTerm host(String host) {
        String normal = HostPattern.normalise(host);
        return new SearchTerm(null, normal, As.HOST, normal, 0);
    }

    /**
     * Returns a term for a host or a port alone.
     *
     * @param text as it was typed, which nodes contain
     * @param host without a port; may be empty
     */
    static SearchTerm site(String text, String host, int port) {
        return of(text, As.SITE, HostPattern.normalise(host), port);
    }

    static SearchTerm method(String method) {
        return of(method, As.METHOD, method, 0);
    }

    private static SearchTerm of(String text, As as, String meant, int port) {
        return new SearchTerm(null, text.toLowerCase(Locale.ROOT), as, meant, port);
    }

    /** A path that no gateway would take is looked for as it is. */
    private static String normal(String path) {
        try {
            return NormalPath.of(encoded(path));
        } catch (InvalidValue e) {
            return path;
        }
    }

    private static String encoded(String path) {
        StringBuilder out = new StringBuilder(path.length());
        for (byte octet : path.getBytes(StandardCharsets.UTF_8)) {
            if (octet > ' ' && octet < 0x7f) {
                out.append((char) octet);
            } else {
                out.append(String.format(Locale.ROOT, "%%%02X", octet & 0xff));
            }
        }
        return out.toString();
    }
}

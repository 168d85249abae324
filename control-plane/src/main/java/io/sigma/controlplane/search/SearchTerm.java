package io.sigma.controlplane.search;

import io.sigma.model.SearchField;
import io.sigma.value.HostPattern;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A word of a query. Immutable.
 *
 * @param field where values begin with {@code text}; null where any value may contain it
 * @param text in lower case
 * @param as what else finds a route
 */
record SearchTerm(@Nullable SearchField field, String text, As as) {

    /** The meanings of a word beside a part of a value. */
    enum As {
        /** Nothing else. */
        TEXT,
        /** The path of a request, which routes take. */
        PATH,
        /** The host of a request, which routers take. */
        HOST
    }

    static SearchTerm text(String text) {
        boolean path = text.startsWith("/");
        return new SearchTerm(null, text.toLowerCase(Locale.ROOT), path ? As.PATH : As.TEXT);
    }

    static SearchTerm field(SearchField field, String text) {
        return new SearchTerm(field, text.toLowerCase(Locale.ROOT), As.TEXT);
    }

    /** Returns a term for a host that stands before a path. */
    static SearchTerm host(String host) {
        return new SearchTerm(null, HostPattern.normalise(host), As.HOST);
    }
}

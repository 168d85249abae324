package io.sigma.dataplane.tail;

import io.sigma.snapshot.RequestFilter;
import org.jspecify.annotations.Nullable;

/** Says of requests whether a filter takes them. Allocates nothing. Immutable. */
final class TailFilter {

    private final RequestFilter filter;
    private final boolean all;

    /** Where the text has the host before this place and the path from it on; -1 when it has not both. */
    private final int slash;

    TailFilter(RequestFilter filter) {
        this.filter = filter;
        this.all = filter.equals(RequestFilter.ALL);
        this.slash = filter.text() == null ? -1 : filter.text().indexOf('/');
    }

    RequestFilter source() {
        return filter;
    }

    boolean takes(TailEntry entry) {
        return all
                || (takesRoute(entry.route)
                        && (filter.proxyServer() == null || filter.proxyServer().equals(entry.proxyServer))
                        && (filter.status() == null || filter.status().includes(entry.status, entry.failed))
                        && (filter.text() == null || takesText(entry, filter.text())));
    }

    private boolean takesRoute(@Nullable String route) {
        return filter.route() == null
                || (route == null ? filter.route().equals(RequestFilter.NO_ROUTE) : route.equals(filter.route()));
    }

    private boolean takesText(TailEntry entry, String text) {
        return contains(entry.path, text)
                || contains(entry.host, text)
                || contains(entry.method, text)
                || contains(entry.node, text)
                || contains(entry.error, text)
                || (slash > 0 && spans(entry, text));
    }

    private boolean spans(TailEntry entry, String text) {
        int from = entry.host.length() - slash;
        int rest = text.length() - slash;
        return from >= 0
                && entry.host.regionMatches(true, from, text, 0, slash)
                && entry.path.regionMatches(true, 0, text, slash, rest);
    }

    private static boolean contains(@Nullable String value, String text) {
        if (value == null) {
            return false;
        }
        // The kept part of a longer path is no longer than this.
        int last = Math.min(value.length(), TailEntry.PATH_MAX) - text.length();
        for (int i = 0; i <= last; i++) {
            if (value.regionMatches(true, i, text, 0, text.length())) {
                return true;
            }
        }
        return false;
    }
}

package io.sigma.controlplane.search;

import io.sigma.model.Kind;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.SearchDifference;
import io.sigma.model.SearchField;
import io.sigma.model.SearchHit;
import io.sigma.model.SearchMatch;
import io.sigma.value.HostPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers whether a resource fits a query, and where. */
final class Matching {

    private static final int VALUE_LENGTH_MAX = 256;

    private final Function<Kind, ? extends Map<String, Searched<?>>> resources;

    /**
     * @param resources returns the resources of a kind by id
     */
    Matching(Function<Kind, ? extends Map<String, Searched<?>>> resources) {
        this.resources = resources;
    }

    /** Returns how well a resource fits the term that it fits least; -1 when it does not fit one. */
    int rank(Searched<?> one, SearchQuery query) {
        int worst = 0;
        for (SearchTerm term : query.terms()) {
            int rank = rank(one, term);
            if (rank < 0) {
                return -1;
            }
            worst = Math.max(worst, rank);
        }
        return worst;
    }

    private int rank(Searched<?> one, SearchTerm term) {
        int rank = one.rank(term);
        if (term.as() == SearchTerm.As.TEXT || (rank == Searched.EXACT && term.as() != SearchTerm.As.METHOD)) {
            return rank;
        }
        if (takes(one, term)) {
            return Searched.TAKES;
        }
        return term.as() == SearchTerm.As.METHOD && one.resource() instanceof Route ? -1 : rank;
    }

    /** Returns whether a request with what a term means would come to this resource, in any case of letters. */
    boolean takes(Searched<?> one, SearchTerm term) {
        return switch (term.as()) {
            case TEXT -> false;
            case PATH -> one.path() != null && RoutePath.takesInAnyCase(one.path(), term.meant(), term.text());
            case HOST -> isOnHost(one, term.meant());
            case SITE -> isSite(one, term);
            case METHOD ->
                one.resource() instanceof Route route
                        && (route.methods().isEmpty() || route.methods().contains(term.meant()));
        };
    }

    /** Returns whether it is a route whose router takes requests for a host, or such a router. */
    private boolean isOnHost(Searched<?> one, String host) {
        Object resource = one.resource();
        Router router =
                resource instanceof Router itself ? itself : resource instanceof Route route ? router(route) : null;
        return router != null && (router.hosts().isEmpty() || names(router, host));
    }

    /** Returns whether it is a router that names a host, or a proxy server that listens on a port. */
    private static boolean isSite(Searched<?> one, SearchTerm term) {
        return one.resource() instanceof Router router
                ? names(router, term.meant())
                : one.resource() instanceof ProxyServer server && server.port() == term.port();
    }

    @Nullable
    Router router(Route route) {
        Searched<?> found = resources.apply(Kind.ROUTER).get(route.routerId());
        return found == null ? null : (Router) found.resource();
    }

    private static boolean names(Router router, String host) {
        return router.hosts().stream().anyMatch(pattern -> takes(HostPattern.parse(pattern), host));
    }

    private static boolean takes(HostPattern pattern, String host) {
        return pattern.wildcard() ? host.endsWith("." + pattern.name()) : host.equals(pattern.name());
    }

    /** Returns a resource that fits, with where it does. */
    SearchHit hit(Searched<?> one, SearchQuery query) {
        List<SearchMatch> found = new ArrayList<>();
        for (SearchTerm term : query.terms()) {
            SearchMatch match = match(one, term);
            if (!found.contains(match)) {
                found.add(match);
            }
        }
        return hit(one, found, isOfOtherCase(one, query) ? SearchDifference.CASE : null);
    }

    /**
     * Returns a hit.
     *
     * @param difference null for a resource that fits
     */
    static <T> SearchHit hit(Searched<T> one, List<SearchMatch> found, @Nullable SearchDifference difference) {
        T resource = one.resource();
        return new SearchHit(
                one.type().kind(),
                one.id(),
                one.type().name(resource),
                SearchText.enabled(resource),
                found,
                difference);
    }

    /** Returns whether a route takes the path in another case of letters alone. */
    private static boolean isOfOtherCase(Searched<?> one, SearchQuery query) {
        String pattern = one.path();
        return pattern != null
                && query.terms().stream()
                        .filter(term -> term.as() == SearchTerm.As.PATH)
                        .anyMatch(term -> !RoutePath.takes(pattern, term.meant())
                                && RoutePath.takesInAnyCase(pattern, term.meant(), term.text()));
    }

    /**
     * Returns the first value in which a term is found; for a route that takes it, its path or the host of its router.
     */
    private <T> SearchMatch match(Searched<T> one, SearchTerm term) {
        List<SearchMatch> first = new ArrayList<>(1);
        SearchText.forEach(one.type(), one.resource(), (field, value) -> {
            String lower = value.toLowerCase(Locale.ROOT);
            boolean fits = term.field() == null
                    ? lower.contains(term.text())
                    : field == term.field() && lower.startsWith(term.text());
            if (fits && first.isEmpty()) {
                first.add(match(field, value));
            }
        });
        if (!first.isEmpty()) {
            return first.getFirst();
        }
        if (term.as() == SearchTerm.As.PATH && one.path() != null) {
            return match(SearchField.PATH, one.path());
        }
        if (one.resource() instanceof ProxyServer server) {
            return match(SearchField.PORT, String.valueOf(server.port()));
        }
        return match(term.as() == SearchTerm.As.METHOD ? SearchField.METHOD : SearchField.HOST, term.meant());
    }

    static SearchMatch match(SearchField field, String value) {
        return new SearchMatch(field, value.substring(0, Math.min(value.length(), VALUE_LENGTH_MAX)));
    }
}

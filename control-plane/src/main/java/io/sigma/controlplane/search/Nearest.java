package io.sigma.controlplane.search;

import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.ProxyPass;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.SearchDifference;
import io.sigma.model.SearchField;
import io.sigma.model.SearchHit;
import io.sigma.model.SearchMatch;
import io.sigma.model.Upstream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a person may have meant where nothing fits: a route whose path, host or method differs, the upstream that
 * has the node of a URL, or a resource whose id, name, host or node is spelled a little differently or is a part of a
 * word, such as the name of a container.
 */
final class Nearest {

    private static final int SHOWN_MAX = 5;

    private final Function<Kind, ? extends Map<String, Searched<?>>> resources;
    private final Matching matching;

    /**
     * @param resources returns the resources of a kind by id
     */
    Nearest(Function<Kind, ? extends Map<String, Searched<?>>> resources, Matching matching) {
        this.resources = resources;
        this.matching = matching;
    }

    /** A resource with how far it is away. The nearest comes first. */
    private record Near(SearchHit hit, int cost, int length) {

        private static final Comparator<Near> ORDER = Comparator.comparingInt(Near::cost)
                .thenComparing(Near::length, Comparator.reverseOrder())
                .thenComparing(near -> near.hit.id());
    }

    /**
     * Returns what is nearest; empty where something fits.
     *
     * @param hits what fits
     */
    List<SearchHit> of(SearchQuery query, List<SearchHit> hits) {
        SearchTerm path = term(query, SearchTerm.As.PATH);
        boolean found = path == null ? !hits.isEmpty() : hits.stream().anyMatch(Nearest::saysMoreThanAnyPath);
        if (found) {
            return List.of();
        }
        List<Near> near = new ArrayList<>();
        SearchTerm guess = path == null ? withoutSlash(query) : path;
        if (guess != null) {
            byRequest(query, guess, near);
        }
        if (path == null) {
            byWords(query, near);
        }
        return near.stream()
                .sorted(Near.ORDER)
                .map(Near::hit)
                .distinct()
                .limit(SHOWN_MAX)
                .toList();
    }

    /** A route of every path takes the wrong guesses, too. */
    private static boolean saysMoreThanAnyPath(SearchHit hit) {
        return hit.kind() != Kind.ROUTE
                || hit.found().stream()
                        .noneMatch(match -> match.field() == SearchField.PATH
                                && match.value().equals("/*"));
    }

    private static @Nullable SearchTerm term(SearchQuery query, SearchTerm.As as) {
        return query.terms().stream()
                .filter(term -> term.as() == as)
                .findFirst()
                .orElse(null);
    }

    /** Returns the path that a word without a slash at its beginning may mean. */
    private static @Nullable SearchTerm withoutSlash(SearchQuery query) {
        SearchTerm first = query.terms().getFirst();
        return query.terms().size() == 1
                        && first.as() == SearchTerm.As.TEXT
                        && first.text().indexOf('/') > 0
                ? SearchTerm.path("/" + first.meant())
                : null;
    }

    private void byRequest(SearchQuery query, SearchTerm path, List<Near> near) {
        SearchTerm host = term(query, SearchTerm.As.HOST);
        SearchTerm method = term(query, SearchTerm.As.METHOD);
        Set<String> upstreams = host == null ? Set.of() : upstreamsOf(host.meant());
        for (String id : upstreams) {
            Searched<?> upstream = resources.apply(Kind.UPSTREAM).get(id);
            if (upstream != null && host != null) {
                near.add(near(
                        upstream, SearchDifference.NODE, match(SearchField.NODE, node(upstream, host.meant())), 0));
            }
        }
        for (Searched<?> one : resources.apply(Kind.ROUTE).values()) {
            if (!(one.resource() instanceof Route route) || route.path().equals("/*")) {
                continue;
            }
            PathDistance distance = PathDistance.of(route.path(), path.meant());
            if (distance == null) {
                continue;
            }
            boolean onHost = host == null || matching.takes(one, host);
            boolean ofMethod = method == null
                    || route.methods().isEmpty()
                    || route.methods().contains(method.meant());
            int toNode = leadsTo(route, upstreams) ? 0 : 1;
            int cost = 2 + 4 * distance.cost() + (onHost ? 0 : 2 + toNode) + (ofMethod ? 0 : 1);
            boolean typed = term(query, SearchTerm.As.PATH) != null;
            if (distance.difference() != null || !typed) {
                SearchDifference difference = typed ? distance.difference() : SearchDifference.PATH;
                near.add(near(one, difference, match(SearchField.PATH, route.path()), cost));
            } else if (!onHost) {
                near.add(near(one, SearchDifference.HOST, match(SearchField.HOST, hosts(route)), cost));
            } else if (!ofMethod) {
                String methods = String.join(", ", route.methods());
                near.add(near(one, SearchDifference.METHOD, match(SearchField.METHOD, methods), cost));
            }
        }
    }

    private String hosts(Route route) {
        Router router = matching.router(route);
        return router == null ? "" : String.join(", ", router.hosts());
    }

    private Set<String> upstreamsOf(String host) {
        return resources.apply(Kind.UPSTREAM).values().stream()
                .filter(one -> !node(one, host).isEmpty())
                .limit(SHOWN_MAX)
                .map(Searched::id)
                .collect(Collectors.toSet());
    }

    /** Returns the URL of the node at a host; empty where there is none. */
    private static String node(Searched<?> one, String host) {
        return one.resource() instanceof Upstream upstream
                ? upstream.nodes().stream()
                        .map(Node::url)
                        .filter(url -> Words.hostOf(url).equals(host))
                        .findFirst()
                        .orElse("")
                : "";
    }

    private boolean leadsTo(Route route, Set<String> upstreams) {
        Searched<?> pass =
                upstreams.isEmpty() ? null : resources.apply(Kind.PROXY_PASS).get(route.proxyPassId());
        return pass != null && leadsTo(pass, upstreams);
    }

    private static <T> boolean leadsTo(Searched<T> pass, Set<String> upstreams) {
        return pass.resource() instanceof ProxyPass
                && pass.type().references().stream()
                        .flatMap(reference -> reference.targets().apply(pass.resource()).stream())
                        .anyMatch(target -> upstreams.contains(target.id()));
    }

    private void byWords(SearchQuery query, List<Near> near) {
        if (query.terms().stream().anyMatch(term -> term.field() != null)) {
            return;
        }
        for (Kind kind : Kind.values()) {
            resources.apply(kind).values().forEach(one -> byWords(one, query, near));
        }
    }

    private <T> void byWords(Searched<T> one, SearchQuery query, List<Near> near) {
        Words.Like worst = null;
        for (SearchTerm term : query.terms()) {
            if (one.rank(term) >= 0 || matching.takes(one, term)) {
                continue;
            }
            Words.Like like = like(one, term);
            if (like == null) {
                return;
            }
            worst = worst == null || like.cost() > worst.cost() ? like : worst;
        }
        if (worst != null) {
            near.add(new Near(
                    Matching.hit(one, List.of(match(worst.field(), worst.value())), worst.difference()),
                    worst.cost(),
                    worst.value().length()));
        }
    }

    private static <T> Words.@Nullable Like like(Searched<T> one, SearchTerm term) {
        String word = term.as() == SearchTerm.As.SITE && !term.meant().isEmpty() ? term.meant() : term.text();
        List<Words.Like> found = new ArrayList<>();
        SearchText.forEach(one.type(), one.resource(), (field, value) -> {
            if (Words.TELLING.contains(field)) {
                Words.Like like = Words.like(field, value, word.toLowerCase(Locale.ROOT));
                if (like != null) {
                    found.add(like);
                }
            }
        });
        return found.stream().min(Comparator.comparingInt(Words.Like::cost)).orElse(null);
    }

    private static SearchMatch match(SearchField field, String value) {
        return Matching.match(field, value);
    }

    private static Near near(Searched<?> one, @Nullable SearchDifference difference, SearchMatch match, int cost) {
        String path = one.path();
        return new Near(Matching.hit(one, List.of(match), difference), cost, path == null ? 0 : path.length());
    }
}

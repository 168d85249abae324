package io.sigma.dataplane.match;

import com.google.re2j.Pattern;
import io.sigma.dataplane.match.Explanation.Kind;
import io.sigma.dataplane.match.Explanation.Loser;
import io.sigma.dataplane.match.Explanation.Reason;
import io.sigma.value.AddressRange;
import io.sigma.value.Addresses;
import io.sigma.value.HostPattern;
import io.sigma.value.MediaRange;
import io.sigma.value.PathPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says of every route why it does not take a request. Looks at all of them one after the other, so it is for people who
 * ask, not for requests; it uses nothing of the index. Confined to one call.
 */
final class Explainer<R extends Routed> {

    /**
     * A loser and how near it came.
     *
     * @param distance 0 when host and path match, 1 when the path nearly does, 2 when only the host does not
     */
    private record Near<R extends Routed>(Loser<R> loser, int distance) {}

    private final Lookup lookup;
    private final @Nullable R winner;
    private final List<Near<R>> near = new ArrayList<>();

    Explainer(Lookup lookup, @Nullable R winner) {
        this.lookup = lookup;
        this.winner = winner;
    }

    /**
     * Returns the explanation.
     *
     * @param mismatch what the client is told when there is no winner
     * @param losersMax how many losers are listed
     */
    Explanation<R> explain(Collection<RouterRoutes<R>> routers, @Nullable NoMatch mismatch, int losersMax) {
        for (RouterRoutes<R> router : routers) {
            boolean host = matchesHost(router.hosts());
            for (R route : router.routes()) {
                look(route, router.hosts(), host);
            }
        }
        near.sort(Comparator.<Near<R>>comparingInt(Near::distance)
                .thenComparingInt(candidate -> candidate.loser().reasons().size())
                .thenComparing(candidate -> candidate.loser().route().rule(), RouteRule.ORDER));
        List<Loser<R>> losers = near.stream().limit(losersMax).map(Near::loser).toList();
        return new Explanation<>(winner, mismatch, losers, near.size() - losers.size());
    }

    @SuppressWarnings("ReferenceEquality") // A router with several hosts has one route object.
    private void look(R route, List<HostPattern> hosts, boolean host) {
        if (route == winner) {
            return;
        }
        RouteRule rule = route.rule();
        String given = lookup.path(rule.form());
        boolean path = isOn(rule.path(), given);
        boolean nearly = !path && host && isNearly(rule.path(), given);
        if (!(host && (path || nearly)) && !(path && isTelling(rule.path()))) {
            return;
        }
        List<Reason> reasons = new ArrayList<>();
        require(host, reasons, Kind.HOST, "", lookup.head().host(), text(hosts, HostPattern::toString));
        require(path, reasons, Kind.PATH, "", given, text(rule.path()));
        addRest(rule, reasons);
        if (reasons.isEmpty()) {
            reasons.add(beaten(rule));
        }
        near.add(new Near<>(new Loser<>(route, reasons), host ? (path ? 0 : 1) : 2));
    }

    private void addRest(RouteRule rule, List<Reason> reasons) {
        String methods = String.join(", ", rule.methods().stream().sorted().toList());
        require(rule.allows(lookup.method()), reasons, Kind.METHOD, "", lookup.method(), methods);
        for (Condition condition : rule.conditions().all()) {
            String value = lookup.value(condition.subject());
            Kind kind = switch (condition.subject().source()) {
                case HEADER -> Kind.HEADER;
                case QUERY_PARAMETER -> Kind.QUERY_PARAMETER;
                case COOKIE -> Kind.COOKIE;
            };
            String name = condition.subject().name();
            String given = value == null ? "absent" : "\"" + value + "\"";
            require(
                    condition.holds(value, new ExpressionBudget()),
                    reasons,
                    kind,
                    name,
                    given,
                    condition.expectation());
        }
        boolean address = rule.conditions().holdsAddress(lookup);
        String ranges = text(rule.conditions().addresses(), Explainer::text);
        require(address, reasons, Kind.CLIENT_ADDRESS, "", Addresses.text(lookup.client()), ranges);
        String type = lookup.head().fields().get("content-type");
        String consumes = text(rule.consumes(), Explainer::text);
        require(rule.takes(lookup), reasons, Kind.CONSUMES, "", type == null ? "no Content-Type" : type, consumes);
        String accept = String.join(", ", lookup.head().fields().all("accept"));
        require(rule.gives(lookup), reasons, Kind.PRODUCES, "", accept, text(rule.produces(), Explainer::text));
    }

    private static void require(
            boolean holds, List<Reason> reasons, Kind kind, String subject, String given, String expected) {
        if (!holds) {
            reasons.add(new Reason(kind, subject, given + " (expected: " + expected + ")"));
        }
    }

    private Reason beaten(RouteRule rule) {
        RouteRule first = winner == null ? rule : winner.rule();
        return rule.priority() < first.priority()
                ? new Reason(
                        Kind.LOWER_PRIORITY,
                        "",
                        rule.priority() + " (\"" + first.id() + "\": " + first.priority() + ")")
                : new Reason(Kind.LESS_SPECIFIC, "", "\"" + first.id() + "\" comes first");
    }

    private boolean matchesHost(List<HostPattern> hosts) {
        String host = lookup.head().host();
        return hosts.isEmpty()
                || hosts.stream()
                        .anyMatch(pattern ->
                                pattern.wildcard() ? host.endsWith("." + pattern.name()) : host.equals(pattern.name()));
    }

    private static boolean isOn(PathPattern pattern, String path) {
        return switch (pattern) {
            case PathPattern.Exact(String exact) -> exact.equals(path);
            case PathPattern.Prefix(String prefix) -> path.equals(prefix) || path.startsWith(prefix + "/");
            case PathPattern.Regex(Pattern expression) -> new ExpressionBudget().matches(expression, path);
            case PathPattern.Segments(List<PathPattern.Segment> segments, boolean open) ->
                matching(segments, path) == segments.size()
                        && (open || path.substring(1).split("/", -1).length == segments.size());
        };
    }

    /** Returns how many of the first segments match before one does not. */
    private static int matching(List<PathPattern.Segment> segments, String path) {
        String[] given = path.substring(1).split("/", -1);
        int count = 0;
        while (count < segments.size() && count < given.length) {
            PathPattern.Segment segment = segments.get(count);
            boolean fits = segment.parameter()
                    ? !given[count].isEmpty()
                    : segment.text().equals(given[count]);
            if (!fits) {
                return count;
            }
            count++;
        }
        return count;
    }

    /** Returns whether another case, a slash at the end or the last segment would make the path match. */
    private static boolean isNearly(PathPattern pattern, String path) {
        String other = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path + "/";
        String text = text(pattern);
        boolean spelling = isOn(pattern, other)
                || (pattern instanceof PathPattern.Exact && text.equalsIgnoreCase(path))
                || (pattern instanceof PathPattern.Prefix(String prefix)
                        && path.regionMatches(true, 0, prefix, 0, prefix.length()));
        int slash = text.lastIndexOf('/');
        boolean sibling = slash > 0 && path.startsWith(text.substring(0, slash + 1));
        return spelling
                || sibling
                || (pattern instanceof PathPattern.Segments(List<PathPattern.Segment> segments, boolean ignored)
                        && matching(segments, path) >= segments.size() - 1);
    }

    /** Returns whether it says something that a route on another host has this path. */
    private static boolean isTelling(PathPattern pattern) {
        return !(pattern instanceof PathPattern.Prefix(String prefix)) || !prefix.isEmpty();
    }

    private static String text(PathPattern pattern) {
        return switch (pattern) {
            case PathPattern.Exact(String path) -> path;
            case PathPattern.Prefix(String prefix) -> prefix + "/*";
            case PathPattern.Regex(Pattern expression) -> "~" + expression.pattern();
            case PathPattern.Segments(List<PathPattern.Segment> segments, boolean open) -> {
                StringBuilder text = new StringBuilder();
                segments.forEach(
                        segment -> text.append(segment.parameter() ? "/:" : "/").append(segment.text()));
                yield text.append(open ? "/*" : "").toString();
            }
        };
    }

    private static String text(AddressRange range) {
        return Addresses.text(range.network()) + "/" + range.prefixBits();
    }

    private static String text(MediaRange range) {
        return range.type() + "/" + range.subtype();
    }

    private static <T> String text(List<T> values, Function<T, String> text) {
        return values.stream().map(text).collect(Collectors.joining(", "));
    }
}

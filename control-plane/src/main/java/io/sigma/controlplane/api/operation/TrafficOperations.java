package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.api.request.Parameters;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.tail.Tenures;
import io.sigma.controlplane.traffic.TrafficCells;
import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.model.Kind;
import io.sigma.model.TrafficGap;
import io.sigma.model.TrafficPoint;
import io.sigma.model.TrafficRank;
import io.sigma.model.TrafficSeries;
import io.sigma.model.TrafficTop;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The operations on traffic. */
final class TrafficOperations {

    private static final Duration SPAN_DEFAULT = Duration.ofMinutes(15);
    /** The kinds of series that belong to a resource, and so to the tokens with its labels. */
    private static final Set<String> OWNED = Set.of("ROUTE", "UPSTREAM");

    private static final int POINTS_MAX = 1440;
    private static final int TOP_DEFAULT = 10;

    /**
     * The largest time until a slot is complete. A query that ended later would show a fall of traffic that did not
     * happen.
     */
    private static final int PENDING_SECONDS = 12;

    private final Database database;
    private final Fleet fleet;
    private final Tenures tenures;

    /** @param tenures of routes and upstreams */
    TrafficOperations(Database database, Fleet fleet, Tenures tenures) {
        this.database = database;
        this.fleet = fleet;
        this.tenures = tenures;
    }

    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("getTraffic", this::getTraffic);
        handlers.put("getTopTraffic", this::getTopTraffic);
    }

    /** A span of time in slots. */
    private record Span(Instant from, Instant to, int seconds) {

        static Span of(Parameters parameters) {
            Instant now = Instant.now();
            Instant to = instant(parameters, "to", now.minusSeconds(PENDING_SECONDS));
            Instant from = instant(parameters, "from", to.minus(SPAN_DEFAULT));
            if (!from.isBefore(to)) {
                throw refused("from: " + from + " (expected: before to, " + to + ")");
            }
            String wanted = parameters.get("resolution");
            boolean fine = wanted == null
                    ? from.isAfter(now.minus(Duration.ofHours(1)))
                            && Duration.between(from, to).compareTo(Duration.ofHours(1)) <= 0
                    : wanted.equals("5s");
            int seconds = fine ? TrafficLog.FINE_SECONDS : TrafficLog.COARSE_SECONDS;
            long points = Duration.between(from, to).toSeconds() / seconds;
            if (points > POINTS_MAX) {
                throw refused("from: " + from + " (expected: at most " + POINTS_MAX + " points of " + seconds
                        + " s before to)");
            }
            return new Span(floor(from, seconds), floor(to.plusSeconds(seconds - 1L), seconds), seconds);
        }

        private static Instant floor(Instant at, int seconds) {
            return Instant.ofEpochSecond(Math.floorDiv(at.getEpochSecond(), seconds) * seconds);
        }

        private static Instant instant(Parameters parameters, String name, Instant otherwise) {
            String text = parameters.get(name);
            try {
                Instant at = text == null ? otherwise : Instant.parse(text);
                if (at.isBefore(Instant.EPOCH) || at.isAfter(Instant.parse("9999-01-01T00:00:00Z"))) {
                    throw refused(name + ": \"" + text + "\" (expected: a time after 1970)");
                }
                return at;
            } catch (DateTimeParseException e) {
                throw refused(name + ": \"" + text + "\" (expected: a time such as 2025-01-31T12:00:00Z)");
            }
        }

        /** Returns the times in this span that none of the slots covers which begin at {@code starts}. */
        List<TrafficGap> gaps(List<Instant> starts) {
            List<TrafficGap> gaps = new ArrayList<>();
            Instant covered = from;
            for (Instant start : starts) {
                if (start.isAfter(covered)) {
                    gaps.add(new TrafficGap(covered, start));
                }
                covered = start.plusSeconds(seconds);
            }
            if (to.isAfter(covered)) {
                gaps.add(new TrafficGap(covered, to));
            }
            return gaps;
        }
    }

    private static FailureException refused(String detail) {
        return new FailureException(new Failure.BadRequest(detail));
    }

    private Answer getTraffic(ApiCall call) {
        Span span = Span.of(call.parameters());
        String kind = TrafficLog.ALL;
        String id = "";
        for (String each : List.of("route", "upstream", "gateway")) {
            String wanted = call.parameters().get(each);
            if (wanted != null) {
                if (!id.isEmpty()) {
                    throw refused(each + ": \"" + wanted + "\" (expected: one of route, upstream and gateway)");
                }
                kind = each.toUpperCase(Locale.ROOT);
                id = wanted;
            }
        }
        TrafficCells total = new TrafficCells();
        List<TrafficPoint> points = new ArrayList<>();
        SortedMap<Instant, TrafficCells> series =
                database.await(log().series(span.seconds(), kind, id, span.from(), span.to()));
        series.tailMap(since(call.who(), kind, id)).forEach((at, cells) -> {
            total.add(cells);
            if (cells.requests() > 0 || cells.bytes() > 0) {
                points.add(new TrafficPoint(at, cells.figures(span.seconds())));
            }
        });
        List<Instant> reported = reported(span, kind.equals("GATEWAY") ? id : null);
        return Answer.ok(new TrafficSeries(
                span.from(),
                span.to(),
                span.seconds(),
                total.figures((long) reported.size() * span.seconds()),
                points,
                span.gaps(reported)));
    }

    /**
     * Returns since when somebody may see what came to one thing: a token with labels since the resource carries them.
     */
    private Instant since(Principal who, String kind, String id) {
        if (who.scope().labels().isEmpty() || !OWNED.contains(kind)) {
            return Instant.EPOCH;
        }
        Tenures.Since since = tenures.of(who.scope(), Kind.valueOf(kind), id);
        if (since.equals(Tenures.NEVER)) {
            throw new FailureException(new Failure.Forbidden(kind + "/" + id
                    + " (expected: a resource with the labels of this token, "
                    + who.scope().labels() + ")"));
        }
        return since.at();
    }

    private Answer getTopTraffic(ApiCall call) {
        Parameters parameters = call.parameters();
        Span span = Span.of(parameters);
        String by = parameters.get("by") == null ? "requests" : parameters.required("by");
        ToLongFunction<TrafficCells> order = switch (by) {
            case "failures" -> TrafficCells::failures;
            case "bytes" -> TrafficCells::bytes;
            default -> TrafficCells::requests;
        };
        String kind =
                Objects.requireNonNullElse(parameters.get("kind"), "route").toUpperCase(Locale.ROOT);
        int limit = parameters.integer("limit", TOP_DEFAULT);
        boolean own = !call.who().scope().labels().isEmpty() && OWNED.contains(kind);
        Map<String, TrafficCells> top = database.await(
                own
                        ? log().topOf(
                                        span.seconds(),
                                        kind,
                                        span.from(),
                                        span.to(),
                                        by,
                                        limit,
                                        beginnings(call.who(), kind))
                        : log().top(span.seconds(), kind, span.from(), span.to(), by, limit));
        long seconds = (long) reported(span, null).size() * span.seconds();
        List<TrafficRank> ranks = top.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, TrafficCells>>comparingLong(
                                entry -> -order.applyAsLong(entry.getValue()))
                        .thenComparing(Map.Entry::getKey))
                .map(entry -> new TrafficRank(entry.getKey(), entry.getValue().figures(seconds)))
                .toList();
        return Answer.ok(new TrafficTop(span.from(), span.to(), ranks));
    }

    private Map<String, Instant> beginnings(Principal who, String kind) {
        Map<String, Instant> beginnings = new HashMap<>();
        tenures.all(who.scope(), Kind.valueOf(kind)).forEach((id, since) -> beginnings.put(id, since.at()));
        return beginnings;
    }

    /** Returns the starts of the slots in which the given gateway ran, or any when it is null. */
    private List<Instant> reported(Span span, @Nullable String gatewayId) {
        return database.await(log().reported(span.seconds(), gatewayId, span.from(), span.to()));
    }

    private TrafficLog log() {
        TrafficLog known = fleet.traffic();
        if (known == null) {
            throw new FailureException(new Failure.Unavailable("There are no gateways."));
        }
        return known;
    }
}

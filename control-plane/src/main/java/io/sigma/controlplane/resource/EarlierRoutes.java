package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.check.Faults;
import io.sigma.controlplane.apidoc.OpenApiOperation;
import io.sigma.controlplane.apidoc.OpenApiPlan;
import io.sigma.controlplane.apidoc.Overlap;
import io.sigma.controlplane.apidoc.Slugs;
import io.sigma.json.Json;
import io.sigma.model.FieldError;
import io.sigma.model.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route that an earlier import made of each operation. An operation is its method and its path: whatever it
 * is called, what was attached to its route stays with it, and never goes to another one. Confined to one write.
 */
final class EarlierRoutes {

    private static final int IDS_TRIED = 100;

    private final OpenApiPlan plan;
    private final SortedMap<String, Route> left;
    private final Set<String> taken;
    private final Map<OpenApiOperation, Route> known = new LinkedHashMap<>();
    private final Map<OpenApiOperation, String> ids = new HashMap<>();

    /** @param routes all routes of the import by id, which are not changed */
    EarlierRoutes(OpenApiPlan plan, Map<String, Route> routes) {
        this.plan = plan;
        this.left = new TreeMap<>(routes);
        this.taken = new HashSet<>(routes.keySet());
        // First routes that take the same requests are matched, then those that the document names alike under another
        // path of the server.
        match(OpenApiOperation::requests, OpenApiOperation::requests);
        match(operation -> OpenApiOperation.identity(operation.endpoint()), EarlierRoutes::endpoint);
        plan.operations().stream()
                .filter(operation -> !known.containsKey(operation))
                .forEach(this::matchUnlabelled);
        for (OpenApiOperation operation : plan.operations()) {
            Route route = known.get(operation);
            ids.put(operation, route == null ? free(operation) : String.valueOf(route.id()));
        }
    }

    private static @Nullable String endpoint(Route route) {
        String endpoint = route.labels().get(OpenApiWrite.LABEL_ENDPOINT);
        return endpoint == null ? null : OpenApiOperation.identity(endpoint);
    }

    private void match(Function<OpenApiOperation, String> wanted, Function<Route, @Nullable String> had) {
        Map<String, List<Route>> routes = new HashMap<>();
        left.values().forEach(route -> {
            String key = had.apply(route);
            if (key != null) {
                routes.computeIfAbsent(key, any -> new ArrayList<>()).add(route);
            }
        });
        for (OpenApiOperation operation : plan.operations()) {
            List<Route> some = routes.getOrDefault(wanted.apply(operation), List.of());
            if (!known.containsKey(operation) && !some.isEmpty()) {
                take(operation, likeliest(operation, some));
            }
        }
    }

    /**
     * Of several routes, copies that somebody made say the same: the one with the name of the operation is the first.
     */
    private static Route likeliest(OpenApiOperation operation, List<Route> routes) {
        String identity = OpenApiOperation.identity(operation.endpoint());
        return routes.stream()
                .filter(route -> identity.equals(endpoint(route)))
                .findFirst()
                .or(() -> routes.stream()
                        .filter(route -> operation.name().equals(route.id()))
                        .findFirst())
                .orElse(routes.getFirst());
    }

    /**
     * Routes of versions that did not note the endpoint: the name has to be the same, and the path but for that of the
     * server.
     */
    private void matchUnlabelled(OpenApiOperation operation) {
        Route route = left.get(Slugs.id(operation.name()));
        int base = plan.servers().base().length() + (isExpression(operation) ? 1 : 0);
        // A template with dots for the folder above may lead out of the path of the server.
        String below = operation.path().length() < base
                ? operation.path()
                : operation.path().substring(base);
        if (route != null
                && endpoint(route) == null
                && route.methods().equals(operation.methods())
                && route.path().endsWith(below)) {
            take(operation, route);
        }
    }

    private static boolean isExpression(OpenApiOperation operation) {
        return operation.path().startsWith("~");
    }

    private void take(OpenApiOperation operation, Route route) {
        known.put(operation, route);
        left.remove(String.valueOf(route.id()));
    }

    /** Returns an id that no other route of the import has, nor had: its history would be that of another operation. */
    private String free(OpenApiOperation operation) {
        String id = Slugs.id(operation.name());
        for (int i = 0; i < IDS_TRIED && !taken.add(id); i++) {
            id = Slugs.other(operation.name(), operation.endpoint() + " ".repeat(i));
        }
        return id;
    }

    /** Returns the id of the route of {@code operation}, which may be a new one. */
    String id(OpenApiOperation operation) {
        return String.valueOf(ids.get(operation));
    }

    /** Returns the route that {@code operation} has; null when it is new. */
    @Nullable
    Route route(OpenApiOperation operation) {
        return known.get(operation);
    }

    /** Returns the ids of routes whose operations are gone. */
    Set<String> vanished() {
        return left.keySet();
    }

    /** Returns what was attached to routes and would not hold any more for the requests that it was attached for. */
    List<FieldError> losses() {
        List<FieldError> losses = new ArrayList<>();
        List<OpenApiOperation> fresh = new ArrayList<>();
        Set<String> told = new HashSet<>();
        for (OpenApiOperation operation : plan.operations()) {
            if (!known.containsKey(operation)) {
                fresh.add(operation);
                successor(operation, losses, told);
            }
        }
        overtaken(fresh, told, losses);
        if (plan.options().removeVanished()) {
            left.forEach((id, route) -> {
                Set<String> attached = attached(route);
                if (!attached.isEmpty() && told.add(id)) {
                    losses.add(Faults.lost(
                            "/paths",
                            "route \"" + id + "\" of " + asked(route) + " has " + String.join(", ", attached)
                                    + "; its operation is gone and it is deleted"));
                }
            });
        }
        return losses;
    }

    /**
     * New operations that gateways try before a route: what was attached to it does not hold for its requests. A route
     * whose operation is gone stays, unless it is deleted.
     */
    private void overtaken(List<OpenApiOperation> fresh, Set<String> told, List<FieldError> losses) {
        if (fresh.isEmpty()) {
            return;
        }
        Overlap overlap = new Overlap(fresh);
        known.forEach((operation, route) -> {
            OpenApiOperation first = guards(route) ? overlap.first(operation.methods(), operation.path()) : null;
            if (first != null) {
                losses.add(overtaken(route, operation.pointer(), first));
            }
        });
        for (Route route : plan.options().removeVanished() ? List.<Route>of() : left.values()) {
            boolean asked = !told.contains(String.valueOf(route.id())) && guards(route);
            OpenApiOperation first = asked ? overlap.first(route.methods(), route.path()) : null;
            if (first != null) {
                losses.add(overtaken(route, "/paths", first));
            }
        }
        if (overlap.isCut()) {
            losses.add(Faults.lost(
                    "/paths",
                    "new operations and routes with additions are too many to compare all of them; a new operation may"
                            + " take requests of any route"));
        }
    }

    /** Whoever gave a route a priority has chosen what it comes before. */
    private boolean guards(Route route) {
        Set<String> attached = attached(route);
        return !attached.isEmpty() && !attached.contains("priority");
    }

    private FieldError overtaken(Route route, String pointer, OpenApiOperation first) {
        return Faults.lost(
                pointer,
                "route \"" + route.id() + "\" has " + String.join(", ", attached(route)) + ", and the new operation "
                        + first.endpoint() + " takes its requests");
    }

    /** A new operation that is called as one that is gone: who renamed the path may think that it is the same. */
    private void successor(OpenApiOperation operation, List<FieldError> losses, Set<String> told) {
        left.forEach((id, route) -> {
            String operationId = route.labels().get(OpenApiWrite.LABEL_OPERATION);
            boolean called = operation.operationId().isEmpty()
                    ? id.equals(Slugs.id(operation.name()))
                    : operation.operationId().equals(operationId);
            Set<String> attached = called ? attached(route) : Set.of();
            if (!attached.isEmpty() && told.add(id)) {
                losses.add(Faults.lost(
                        operation.pointer(),
                        "a new operation without " + String.join(", ", attached) + ", which route \"" + id + "\" of "
                                + asked(route) + " has; that operation is gone"));
            }
        });
    }

    private static String asked(Route route) {
        return route.labels()
                .getOrDefault(
                        OpenApiWrite.LABEL_ENDPOINT, (String.join(",", route.methods()) + " " + route.path()).strip());
    }

    /** Returns the fields of a route that an import has not written. */
    private Set<String> attached(Route route) {
        Map<String, String> labels = new TreeMap<>(route.labels());
        labels.keySet().removeIf(key -> !key.startsWith(OpenApiWrite.LABELS));
        JsonNode made = Json.tree(Route.builder()
                .id(route.id())
                .name(route.name())
                .description(route.description())
                .labels(labels)
                .routerId(route.routerId())
                .path(route.path())
                .methods(route.methods())
                .proxyPassId(plan.id())
                .build());
        JsonNode is = Json.tree(route);
        Set<String> attached = new TreeSet<>();
        is.properties().forEach(field -> {
            if (!field.getValue().equals(made.get(field.getKey()))) {
                attached.add(field.getKey());
            }
        });
        return attached;
    }
}

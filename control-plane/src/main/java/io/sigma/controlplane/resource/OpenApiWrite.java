package io.sigma.controlplane.resource;

import io.sigma.check.Faults;
import io.sigma.controlplane.apidoc.OpenApiOperation;
import io.sigma.controlplane.apidoc.OpenApiPlan;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.ProxyPass;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The resources that an OpenAPI document asks for, laid over those that are there: what the document does not speak of,
 * such as health checks, timeouts or plugins that somebody has added, stays. Confined to one write.
 */
final class OpenApiWrite {

    /** The label that says of which import a resource is. */
    static final String LABEL = "openapi.import";

    /** The prefix of the label keys of imports. */
    static final String LABELS = "openapi.";

    /** The label that says which operation a route is: its method and path, by which the next import knows it. */
    static final String LABEL_ENDPOINT = "openapi.endpoint";

    static final String LABEL_OPERATION = "openapi.operation";
    private static final String LABEL_TAGS = "openapi.tags";
    private static final int LABEL_MAX = 4096;
    private static final int NAME_MAX = 128;
    private static final int ERRORS_MAX = 100;

    private final OpenApiPlan plan;
    private final Label label;
    private final Map<String, String> pointers = new HashMap<>();
    private final List<FieldError> foreign = new ArrayList<>();
    private List<FieldError> losses = List.of();

    OpenApiWrite(OpenApiPlan plan) {
        this.plan = plan;
        this.label = new Label(LABEL, plan.id());
    }

    /**
     * Returns the changes, each after those that it refers to; deletions last.
     *
     * @param state the newest one
     * @param force whether operations may lose what was attached to their routes
     * @throws FailureException with {@link Failure.OtherLabel} when an id belongs to a resource of something else, with
     *     {@link Failure.NeedsForce} when operations lose what was attached
     */
    List<EntityChange> changes(ConfigState state, boolean force) {
        List<EntityChange> changes = new ArrayList<>();
        String id = plan.id();
        changes.add(new EntityChange(
                Kind.UPSTREAM,
                id,
                upstream(own(ResourceType.UPSTREAM, id, state.upstreams().get(id)))));
        changes.add(new EntityChange(
                Kind.PROXY_PASS,
                id,
                pass(own(ResourceType.PROXY_PASS, id, state.proxyPasses().get(id)))));
        changes.add(new EntityChange(
                Kind.ROUTER,
                id,
                router(own(ResourceType.ROUTER, id, state.routers().get(id)))));
        Map<String, Route> routes = new TreeMap<>();
        state.routes().forEach((routeId, route) -> {
            if (ImportLabel.mayBeOf(plan, routeId, route)) {
                routes.put(routeId, route);
            }
        });
        EarlierRoutes earlier = new EarlierRoutes(plan, routes);
        for (OpenApiOperation operation : plan.operations()) {
            String routeId = earlier.id(operation);
            pointers.put(routeId, operation.pointer());
            Route old = earlier.route(operation);
            if (old == null) {
                own(ResourceType.ROUTE, routeId, state.routes().get(routeId));
            }
            changes.add(new EntityChange(Kind.ROUTE, routeId, route(routeId, operation, old)));
        }
        if (!foreign.isEmpty()) {
            throw new FailureException(
                    new Failure.OtherLabel(foreign.subList(0, Math.min(foreign.size(), ERRORS_MAX))));
        }
        losses = earlier.losses();
        if (!losses.isEmpty() && !force) {
            throw new FailureException(new Failure.NeedsForce(losses.subList(0, Math.min(losses.size(), ERRORS_MAX))));
        }
        if (plan.options().removeVanished()) {
            // A route that was handed over and is none of an operation stays with whoever made it.
            earlier.vanished().stream()
                    .filter(gone ->
                            ImportLabel.importOf(ResourceType.ROUTE, gone, Objects.requireNonNull(routes.get(gone)))
                                    != null)
                    .forEach(gone -> changes.add(new EntityChange(Kind.ROUTE, gone, null)));
        }
        return changes;
    }

    /** Returns what operations lose that was attached to their routes. */
    List<FieldError> losses() {
        return losses;
    }

    /** Returns where the document speaks of a resource. */
    String pointer(EntityChange change) {
        return switch (change.kind()) {
            case ROUTE -> "/document" + pointers.getOrDefault(change.id(), "");
            case UPSTREAM -> "/document/servers";
            default -> "/document/info";
        };
    }

    /**
     * Returns what is there, and notes when it is not of this import: whoever made it does not expect it to be
     * overwritten.
     */
    private <T> @Nullable T own(ResourceType<T> type, String id, @Nullable T stored) {
        if (stored != null && !label.isOn(type, stored)) {
            String place = pointer(new EntityChange(type.kind(), id, null));
            foreign.add(Faults.conflict(
                    place, type.label() + " \"" + id + "\"", "none, or one with the label " + label, type.kind(), id));
        }
        return stored;
    }

    private Upstream upstream(@Nullable Upstream old) {
        Map<String, Node> known = old == null
                ? Map.of()
                : old.nodes().stream().collect(Collectors.toMap(Node::url, Function.identity(), (a, b) -> a));
        List<Node> nodes = plan.servers().nodes().stream()
                .map(url -> known.getOrDefault(url, Node.builder().url(url).build()))
                .toList();
        return old == null
                ? Upstream.builder()
                        .id(plan.id())
                        .name(title())
                        .labels(labels(null))
                        .nodes(nodes)
                        .build()
                : old.toBuilder().labels(labels(old.labels())).nodes(nodes).build();
    }

    private ProxyPass pass(@Nullable ProxyPass old) {
        return old == null
                ? ProxyPass.builder()
                        .id(plan.id())
                        .name(title())
                        .labels(labels(null))
                        .upstreamId(plan.id())
                        .build()
                : old.toBuilder().labels(labels(old.labels())).build();
    }

    private Router router(@Nullable Router old) {
        Router.Builder router = old == null ? Router.builder().id(plan.id()).name(title()) : old.toBuilder();
        return router.labels(labels(old == null ? null : old.labels()))
                .proxyServerId(plan.options().proxyServerId())
                .hosts(
                        old == null || !plan.options().hosts().isEmpty()
                                ? plan.options().hosts()
                                : old.hosts())
                .build();
    }

    private Route route(String id, OpenApiOperation operation, @Nullable Route old) {
        Map<String, String> labels = labels(old == null ? null : old.labels());
        put(labels, LABEL_ENDPOINT, operation.endpoint());
        put(labels, LABEL_OPERATION, operation.operationId());
        put(labels, LABEL_TAGS, operation.tags());
        Route.Builder route = old == null ? Route.builder().id(id).proxyPassId(plan.id()) : old.toBuilder();
        return route.routerId(plan.id())
                .name(operation.summary())
                .description(operation.description())
                .labels(labels)
                .path(operation.path())
                .methods(operation.methods())
                .build();
    }

    private @Nullable String title() {
        String title = plan.title().strip();
        return title.isEmpty() || title.length() > NAME_MAX ? null : title;
    }

    private Map<String, String> labels(@Nullable Map<String, String> old) {
        Map<String, String> labels = new LinkedHashMap<>(old == null ? Map.of() : old);
        labels.put(LABEL, plan.id());
        return labels;
    }

    private static void put(Map<String, String> labels, String key, String value) {
        if (value.isEmpty() || value.length() > LABEL_MAX) {
            labels.remove(key);
        } else {
            labels.put(key, value);
        }
    }
}

package io.sigma.controlplane.resource;

import io.sigma.check.Faults;
import io.sigma.controlplane.apidoc.OpenApiPlan;
import io.sigma.controlplane.apidoc.Slugs;
import io.sigma.controlplane.store.history.ResourceReader;
import io.sigma.controlplane.store.history.Stored;
import io.sigma.model.FieldError;
import io.sigma.model.ProxyPass;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.Mismatch;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The resources of an import. Anyone may write labels on their own resources, so the label is not enough. An import has
 * its upstream, proxy pass and router, which have its id, and the routes through one of them.
 */
final class ImportLabel {

    private static final String POINTER = "/labels/" + OpenApiWrite.LABEL;

    private ImportLabel() {}

    /** Returns the import that {@code resource} is of; null when it is of none. */
    static <T> @Nullable String importOf(ResourceType<T> type, String id, Object resource) {
        String named = type.labels(type.cast(resource)).get(OpenApiWrite.LABEL);
        return named != null && belongs(named, id, resource) ? named : null;
    }

    /** Returns whether {@code route} may be the one of an operation: it is of the import, or was handed over to it. */
    static boolean mayBeOf(OpenApiPlan plan, String id, Route route) {
        return plan.id().equals(route.labels().get(OpenApiWrite.LABEL))
                && (belongs(plan.id(), id, route)
                        || plan.operations().stream().anyMatch(operation -> id.equals(Slugs.id(operation.name()))));
    }

    private static boolean belongs(String imported, String id, Object resource) {
        return switch (resource) {
            case Upstream upstream -> id.equals(imported);
            case ProxyPass pass -> id.equals(imported);
            case Router router -> id.equals(imported);
            case Route route -> imported.equals(route.routerId()) || imported.equals(route.proxyPassId());
            default -> false;
        };
    }

    /** Finds labels that are new and name an import to which the resource cannot belong. */
    static void check(ResourceReader reader, List<EntityChange> changes, BiConsumer<EntityChange, FieldError> finding) {
        for (EntityChange change : changes) {
            Object resource = change.resource();
            if (resource == null) {
                continue;
            }
            String named = label(ResourceType.of(change.kind()), resource);
            if (named != null
                    && !belongs(named, change.id(), resource)
                    && !isHandedOver(named, change)
                    && !named.equals(stored(ResourceType.of(change.kind()), reader, change.id()))) {
                finding.accept(
                        change,
                        Faults.notPermitted(
                                POINTER,
                                Mismatch.quoted(
                                        named,
                                        "no such label, except on the upstream, the proxy pass and the router \""
                                                + named + "\" and on routes of these")));
            }
        }
    }

    /** A route whose id is one that the import would choose may be handed over to it. */
    private static boolean isHandedOver(String imported, EntityChange change) {
        return change.resource() instanceof Route && change.id().startsWith(imported + ".");
    }

    private static <T> @Nullable String stored(ResourceType<T> type, ResourceReader reader, String id) {
        Stored<T> before = reader.find(type, id);
        return before == null ? null : label(type, before.value());
    }

    private static <T> @Nullable String label(ResourceType<T> type, Object resource) {
        return type.labels(type.cast(resource)).get(OpenApiWrite.LABEL);
    }
}

package io.sigma.controlplane.search;

import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The field by which a list is ordered. Immutable.
 *
 * @param field one of {@link #fields}
 */
public record ListOrder(String field, boolean descending) {

    private static final List<String> OF_EVERY_KIND = List.of("id", "name");

    /** A resource with its place. */
    private record Placed(String id, @Nullable Comparable<?> key) {}

    /** Returns the fields that order a list of this type. */
    public static List<String> fields(ResourceType<?> type) {
        List<String> own = switch (type.kind()) {
            case PROXY_SERVER -> List.of("port", "protocol", "host", "enabled");
            case ROUTER -> List.of("hosts", "proxyServerId", "enabled");
            case ROUTE -> List.of("path", "routerId", "proxyPassId", "priority", "enabled");
            case UPSTREAM -> List.of("nodes", "balancing");
            case CONSUMER -> List.of("enabled");
            default -> List.of();
        };
        return Stream.concat(OF_EVERY_KIND.stream(), own.stream()).toList();
    }

    /** Returns the order that {@code text} names, such as {@code -priority}; empty if the type lacks the field. */
    public static Optional<ListOrder> parse(ResourceType<?> type, String text) {
        boolean descending = text.startsWith("-");
        String field = descending ? text.substring(1) : text;
        return fields(type).contains(field) ? Optional.of(new ListOrder(field, descending)) : Optional.empty();
    }

    /** Returns the ids of {@code some} in this order. */
    List<String> ids(List<Searched<?>> some) {
        return some.stream()
                .map(one -> new Placed(one.id(), key(one)))
                .sorted(comparator())
                .map(Placed::id)
                .toList();
    }

    /** Values that are absent come last in either direction. */
    private Comparator<Placed> comparator() {
        Comparator<Comparable<?>> keys = Comparator.comparing(ListOrder::comparable);
        return Comparator.<Placed, Comparable<?>>comparing(
                        Placed::key, Comparator.nullsLast(descending ? keys.reversed() : keys))
                .thenComparing(Placed::id);
    }

    // The keys of one list are all of one type.
    @SuppressWarnings("unchecked")
    private static Comparable<Object> comparable(Comparable<?> key) {
        return (Comparable<Object>) key;
    }

    private <T> @Nullable Comparable<?> key(Searched<T> one) {
        return switch (field) {
            case "id" -> one.id();
            case "name" -> lower(one.type().name(one.resource()));
            case "enabled" -> SearchText.enabled(one.resource());
            default -> keyOfKind(one.resource());
        };
    }

    private @Nullable Comparable<?> keyOfKind(Object resource) {
        return switch (resource) {
            case ProxyServer server ->
                switch (field) {
                    case "port" -> server.port();
                    case "protocol" -> String.valueOf(server.protocol());
                    default -> lower(server.host());
                };
            case Router router ->
                field.equals("hosts")
                        ? router.hosts().stream()
                                .findFirst()
                                .map(ListOrder::lower)
                                .orElse(null)
                        : router.proxyServerId();
            case Route route ->
                switch (field) {
                    case "path" -> lower(route.path());
                    case "routerId" -> route.routerId();
                    case "proxyPassId" -> route.proxyPassId();
                    default -> route.priority();
                };
            case Upstream upstream ->
                field.equals("nodes") ? upstream.nodes().size() : String.valueOf(upstream.balancing());
            default -> null;
        };
    }

    private static @Nullable String lower(@Nullable String text) {
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }
}

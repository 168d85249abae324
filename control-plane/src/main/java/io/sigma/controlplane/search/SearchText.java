package io.sigma.controlplane.search;

import io.sigma.check.ResourcePlugins;
import io.sigma.model.Consumer;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.sigma.model.Router;
import io.sigma.model.SearchField;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The values of a resource that are searched, as one text in lower case: a line for each, which begins with a letter
 * for its field. The letter is a capital, so that no word that is looked for contains it.
 */
final class SearchText {

    private static final List<SearchField> FIELDS = List.of(SearchField.values());
    private static final RecordComponent[] PLUGINS = Plugins.class.getRecordComponents();

    private SearchText() {}

    static <T> String of(ResourceType<T> type, T resource) {
        StringBuilder text = new StringBuilder(128);
        forEach(
                type,
                resource,
                (field, value) -> text.append('\n')
                        .append(letter(field))
                        .append(value.toLowerCase(Locale.ROOT).replace('\n', ' ')));
        return text.append('\n').toString();
    }

    /** Returns what a line of {@code field} begins with. */
    static char letter(SearchField field) {
        return (char) ('A' + FIELDS.indexOf(field));
    }

    /** Calls {@code action} for each value that is searched, the most telling ones first. */
    static <T> void forEach(ResourceType<T> type, T resource, BiConsumer<SearchField, String> action) {
        action.accept(SearchField.ID, type.id(resource));
        String name = type.name(resource);
        if (name != null) {
            action.accept(SearchField.NAME, name);
        }
        ofKind(resource, action);
        for (ResourceType.Reference<T> reference : type.references()) {
            reference.targets().apply(resource).forEach(target -> action.accept(SearchField.USES, target.id()));
        }
        plugins(ResourcePlugins.of(resource), action);
        type.labels(resource).forEach((key, value) -> action.accept(SearchField.LABEL, key + "=" + value));
        String description = type.description(resource);
        if (description != null) {
            action.accept(SearchField.DESCRIPTION, description);
        }
        Boolean enabled = enabled(resource);
        if (enabled != null) {
            action.accept(SearchField.STATE, enabled ? "enabled" : "disabled");
        }
    }

    /** Returns null for kinds that cannot be disabled. */
    static @Nullable Boolean enabled(Object resource) {
        return switch (resource) {
            case ProxyServer server -> server.enabled();
            case Router router -> router.enabled();
            case Route route -> route.enabled();
            case Consumer consumer -> consumer.enabled();
            default -> null;
        };
    }

    private static void ofKind(Object resource, BiConsumer<SearchField, String> action) {
        switch (resource) {
            case ProxyServer server -> {
                action.accept(SearchField.HOST, server.host());
                action.accept(SearchField.PORT, String.valueOf(server.port()));
            }
            case Router router -> all(SearchField.HOST, router.hosts(), action);
            case Route route -> {
                action.accept(SearchField.PATH, route.path());
                route.methods().forEach(method -> action.accept(SearchField.METHOD, String.valueOf(method)));
                conditions(SearchField.HEADER, route.headers(), ": ", action);
                conditions(SearchField.PARAMETER, route.queryParameters(), "=", action);
                conditions(SearchField.COOKIE, route.cookies(), "=", action);
            }
            case ProxyPass pass -> {
                if (pass.host() != null) {
                    action.accept(SearchField.HOST, pass.host());
                }
                if (pass.addPrefix() != null) {
                    action.accept(SearchField.PATH, pass.addPrefix());
                }
                if (pass.stripPrefix() != null) {
                    action.accept(SearchField.PATH, pass.stripPrefix());
                }
            }
            case Upstream upstream -> upstream.nodes().forEach(node -> action.accept(SearchField.NODE, node.url()));
            case Consumer consumer -> {
                all(SearchField.GROUP, consumer.groups(), action);
                consumer.logins().forEach(login -> action.accept(SearchField.USER, login.username()));
                all(SearchField.USER, consumer.subjects(), action);
            }
            default -> {
                // Has what every kind has.
            }
        }
    }

    private static void conditions(
            SearchField field,
            List<RouteCondition> conditions,
            String between,
            BiConsumer<SearchField, String> action) {
        for (RouteCondition condition : conditions) {
            String value = condition.value() != null ? condition.value() : condition.regex();
            action.accept(field, value == null ? condition.name() : condition.name() + between + value);
        }
    }

    private static void all(SearchField field, List<String> values, BiConsumer<SearchField, String> action) {
        values.forEach(value -> action.accept(field, value));
    }

    private static void plugins(@Nullable Plugins plugins, BiConsumer<SearchField, String> action) {
        if (plugins == null) {
            return;
        }
        for (RecordComponent plugin : PLUGINS) {
            try {
                Object value = plugin.getAccessor().invoke(plugins);
                if (value instanceof Map<?, ?> extensions) {
                    extensions.keySet().forEach(name -> action.accept(SearchField.PLUGIN, String.valueOf(name)));
                } else if (value != null) {
                    action.accept(SearchField.PLUGIN, plugin.getName());
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(plugin.toString(), e);
            }
        }
    }
}

package io.sigma.dataplane.filter;

import io.sigma.model.Plugins;
import io.sigma.plugin.Phase;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A plugin of the contract that runs as a filter.
 *
 * @param name its property in {@code Plugins}
 * @param shared whether the filter remembers something over exchanges; such a filter exists once for each resource that
 *     configures it, so that all routes below share what it remembers and no others do
 * @param configuration reads it from the merged plugins
 * @param factory makes the filter, off the event loops
 */
public record PluginType<P>(
        String name,
        Phase phase,
        boolean shared,
        Function<Plugins, @Nullable P> configuration,
        Predicate<P> enabled,
        BiFunction<P, FilterServices, Filter> factory) {

    /** Returns a type whose filter depends on the plugin alone. */
    public static <P> PluginType<P> of(
            String name,
            Phase phase,
            Function<Plugins, @Nullable P> configuration,
            Predicate<P> enabled,
            Function<P, Filter> factory) {
        return new PluginType<>(
                name, phase, false, configuration, enabled, (plugin, services) -> factory.apply(plugin));
    }

    /** Returns what is configured and not switched off, null when there is no such thing. */
    @Nullable
    public P active(Plugins plugins) {
        P plugin = configuration.apply(plugins);
        return plugin != null && enabled.test(plugin) ? plugin : null;
    }
}

package io.sigma.plugin;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A plugin that is not part of Sigma. It is found through {@link java.util.ServiceLoader}, so its jar names it in
 * {@code META-INF/services/io.sigma.plugin.PluginProvider}, and configured under {@code plugins.extensions.<name>} at
 * every level. The property {@code enabled} of the configuration belongs to Sigma: {@code false} switches the plugin
 * off, and the provider never sees it.
 */
public interface PluginProvider {

    /** Returns the name under which it is configured; unique among the providers on the class path. */
    String name();

    /** Returns when its filters see a request. */
    Phase phase();

    /**
     * Returns a filter, which may run on every event loop at once. Called off the event loops, once for each resource
     * that configures the plugin; what did not change keeps its filter.
     *
     * @throws InvalidExtension when the configuration is not right; the snapshot is refused then
     */
    PluginFilter filter(JsonNode configuration, PluginServices services);
}

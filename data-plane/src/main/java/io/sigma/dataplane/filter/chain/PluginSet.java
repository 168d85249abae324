package io.sigma.dataplane.filter.chain;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.filter.PluginType;
import io.sigma.model.Plugins;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plugins of several levels, merged.
 *
 * @param origins of each plugin whose filter belongs to the resource that configures it: the JSON pointer of the
 *     resource
 */
public record PluginSet(Plugins plugins, Map<String, String> origins) {

    /** No level configures anything. */
    public static final PluginSet NONE = new PluginSet(PluginLevels.NONE, Map.of());

    /**
     * Returns these plugins, each replaced by that of {@code specific} where it has one; this set itself when nothing
     * is replaced.
     *
     * @param pointer of the resource that {@code specific} is of, such as {@code /routes/shop-api}
     */
    public PluginSet with(@Nullable Plugins specific, String pointer) {
        if (specific == null || specific.equals(PluginLevels.NONE)) {
            return this;
        }
        Map<String, String> merged = new HashMap<>(origins);
        for (PluginType<?> type : PluginTypes.ALL) {
            if (type.shared() && type.configuration().apply(specific) != null) {
                merged.put(type.name(), pointer);
            }
        }
        for (String name : specific.extensions().keySet()) {
            merged.put(extension(name), pointer);
        }
        return new PluginSet(PluginLevels.merge(plugins, specific), Map.copyOf(merged));
    }

    /** Returns the configuration of an extension, null when it has none or is switched off. */
    @Nullable
    JsonNode activeExtension(String name) {
        JsonNode configuration = plugins.extensions().get(name);
        return configuration != null && configuration.path("enabled").asBoolean(true) ? configuration : null;
    }

    /** Returns the resource that configures a plugin; empty when its filter belongs to no resource. */
    String origin(String name) {
        return origins.getOrDefault(name, "");
    }

    static String extension(String name) {
        return "extensions/" + name;
    }
}

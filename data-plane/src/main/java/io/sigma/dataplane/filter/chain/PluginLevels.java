package io.sigma.dataplane.filter.chain;

import io.sigma.model.Plugins;

/** Merges the plugins of two levels. Pure; used when a snapshot is compiled. */
final class PluginLevels {

    static final Plugins NONE = Plugins.builder().build();

    private PluginLevels() {}

    /** Returns {@code general} with each plugin replaced by that of {@code specific} where it has one. */
    static Plugins merge(Plugins general, Plugins specific) {
        return specific.toBuilder().orElse(general).build();
    }
}

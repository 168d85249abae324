package io.sigma.dataplane.filter;

import io.sigma.model.Plugins;
import org.jspecify.annotations.Nullable;

/** Merges the plugins of several levels. Pure. */
public final class PluginLevels {

    private static final Plugins NONE = Plugins.builder().build();

    private PluginLevels() {}

    /**
     * Returns the plugins of {@code general}, each replaced by that of {@code specific} where it has one. When nothing is
     * replaced the result is {@code general} itself.
     */
    public static Plugins merge(@Nullable Plugins general, @Nullable Plugins specific) {
        Plugins base = general == null ? NONE : general;
        if (specific == null || specific.equals(NONE)) {
            return base;
        }
        return new Plugins(
                or(specific.accessLog(), base.accessLog()),
                or(specific.cors(), base.cors()),
                or(specific.csp(), base.csp()),
                or(specific.gzip(), base.gzip()),
                or(specific.hsts(), base.hsts()),
                or(specific.httpsRedirect(), base.httpsRedirect()),
                or(specific.rewritePath(), base.rewritePath()),
                or(specific.staticResources(), base.staticResources()),
                or(specific.xFrame(), base.xFrame()));
    }

    private static <T> @Nullable T or(@Nullable T specific, @Nullable T general) {
        return specific != null ? specific : general;
    }
}

package io.sigma.check;

import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import org.jspecify.annotations.Nullable;

/** The plugins that a resource configures, whatever kind it is. */
public final class ResourcePlugins {

    private ResourcePlugins() {}

    /** Returns the plugins of {@code resource}; null where none are set, and for kinds that have none. */
    public static @Nullable Plugins of(@Nullable Object resource) {
        return switch (resource) {
            case ProxyServer server -> server.plugins();
            case Router router -> router.plugins();
            case Route route -> route.plugins();
            case ProxyPass pass -> pass.plugins();
            case null, default -> null;
        };
    }
}

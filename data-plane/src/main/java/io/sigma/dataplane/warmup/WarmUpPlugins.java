package io.sigma.dataplane.warmup;

import io.sigma.model.Plugins;
import io.sigma.snapshot.ConfigState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The plugins of a configuration that a made-up request may meet: those that need the message alone. None of
 * them counts clients, asks another process, reads or writes a file, or refuses requests.
 */
final class WarmUpPlugins {

    /** Resources that are looked at; a large configuration repeats what it has. */
    private static final int LOOKED_AT_MAX = 1_000;

    private WarmUpPlugins() {}

    /** Returns the first of each of those plugins that {@code real} has. */
    static Plugins of(ConfigState real) {
        List<Plugins> all = new ArrayList<>();
        real.proxyServers().values().forEach(server -> add(all, server.plugins()));
        real.routers().values().forEach(router -> add(all, router.plugins()));
        real.proxyPasses().values().forEach(pass -> add(all, pass.plugins()));
        real.routes().values().stream().limit(LOOKED_AT_MAX).forEach(route -> add(all, route.plugins()));
        Plugins joined = Plugins.builder().build();
        for (Plugins one : all) {
            joined = joined(joined, one);
        }
        return joined;
    }

    private static void add(List<Plugins> all, @Nullable Plugins plugins) {
        if (plugins != null && all.size() < LOOKED_AT_MAX) {
            all.add(plugins);
        }
    }

    private static Plugins joined(Plugins one, Plugins other) {
        return Plugins.builder()
                .brotli(first(one, other, Plugins::brotli))
                .cors(first(one, other, Plugins::cors))
                .csp(first(one, other, Plugins::csp))
                .gzip(first(one, other, Plugins::gzip))
                .headers(first(one, other, Plugins::headers))
                .hsts(first(one, other, Plugins::hsts))
                .requestId(first(one, other, Plugins::requestId))
                .responseTime(first(one, other, Plugins::responseTime))
                .rewritePath(first(one, other, Plugins::rewritePath))
                .xFrame(first(one, other, Plugins::xFrame))
                .zstd(first(one, other, Plugins::zstd))
                .build();
    }

    private static <P> @Nullable P first(Plugins one, Plugins other, Function<Plugins, @Nullable P> plugin) {
        P found = plugin.apply(one);
        return found == null ? plugin.apply(other) : found;
    }
}

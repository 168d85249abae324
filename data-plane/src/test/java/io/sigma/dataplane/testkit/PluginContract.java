package io.sigma.dataplane.testkit;

import io.sigma.model.Plugins;
import io.sigma.snapshot.ResourceType;

/** The base of tests of plugins. */
public abstract class PluginContract extends EngineContract {

    /** Sends everything to {@code node}, with plugins on the only route. */
    protected Config withPlugins(String node, Plugins.Builder plugins) {
        return forwarding(node)
                .with(
                        ResourceType.ROUTE,
                        "any",
                        route -> route.toBuilder().plugins(plugins.build()).build());
    }

    /** Sends one request with {@code fields}, each ended by CRLF. */
    protected RawClient.Answer send(String method, String target, String fields) throws Exception {
        return exchange(method + " " + target + " HTTP/1.1\r\nHost: shop.example.com\r\n" + fields + "\r\n");
    }
}

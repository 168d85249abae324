package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.filter.chain.PluginSet;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.model.ProxyServer;
import io.sigma.model.Router;

/** The part of a router that its routes share. Compared by identity: an unchanged router is the same object. */
public final class RuntimeRouter {

    private final Router source;
    private final ProxyServer server;
    private final PluginSet plugins;
    private final ForwardedFields forwarded;

    RuntimeRouter(Router source, ProxyServer server, PluginSet plugins, ForwardedFields forwarded) {
        this.source = source;
        this.server = server;
        this.plugins = plugins;
        this.forwarded = forwarded;
    }

    public String id() {
        return String.valueOf(source.id());
    }

    /** Returns the resource that this was compiled from. */
    public Router source() {
        return source;
    }

    /** Returns the proxy server that it belongs to. */
    public ProxyServer server() {
        return server;
    }

    /** Returns the plugins of proxy server and router, merged. */
    PluginSet plugins() {
        return plugins;
    }

    ForwardedFields forwarded() {
        return forwarded;
    }
}

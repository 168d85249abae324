package io.sigma.dataplane.filter.extension;

import io.sigma.dataplane.exchange.AttributeKey;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.plugin.PluginFields;
import io.sigma.plugin.PluginRequest;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The view of an exchange for a plugin that is not part of Sigma.
 *
 * @param key of what the filter remembers
 */
record ExtensionRequest(Exchange exchange, AttributeKey<Object> key) implements PluginRequest {

    @Override
    public String method() {
        return exchange.request().method();
    }

    @Override
    public String scheme() {
        return exchange.scheme();
    }

    @Override
    public String host() {
        return exchange.host();
    }

    @Override
    public String path() {
        return exchange.request().path();
    }

    @Override
    public @Nullable String query() {
        return exchange.request().query();
    }

    @Override
    public InetAddress clientAddress() {
        return exchange.clientAddress();
    }

    @Override
    public @Nullable String clientSubject() {
        return exchange.clientSubject();
    }

    @Override
    public PluginFields fields() {
        return new ExtensionFields(exchange.request().fields());
    }

    @Override
    public @Nullable Object memory() {
        return exchange.get(key);
    }

    @Override
    public void memory(@Nullable Object value) {
        exchange.put(key, value);
    }
}

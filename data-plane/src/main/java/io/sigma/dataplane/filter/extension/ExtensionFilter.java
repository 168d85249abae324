package io.sigma.dataplane.filter.extension;

import io.sigma.dataplane.exchange.AttributeKey;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;
import io.sigma.plugin.PluginFilter;

/** A filter of a plugin that is not part of Sigma. */
public final class ExtensionFilter implements Filter {

    private final PluginFilter filter;
    private final AttributeKey<Object> memory;

    /**
     * @param name the name under which the configuration has the plugin
     */
    public ExtensionFilter(String name, PluginFilter filter) {
        this.filter = filter;
        this.memory = AttributeKey.of(Object.class, name);
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        return switch (filter.onRequest(request(exchange), new ExtensionReplies(exchange, replies))) {
            case CONTINUE -> Verdict.CONTINUE;
            case TAKEN -> Verdict.TAKEN;
        };
    }

    @Override
    public boolean isPure() {
        return filter.isPure();
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        filter.onResponse(request(exchange), new ExtensionResponse(head));
    }

    @Override
    public void onEnd(Exchange exchange) {
        filter.onEnd(request(exchange));
    }

    @Override
    public void close() {
        filter.close();
    }

    private ExtensionRequest request(Exchange exchange) {
        return new ExtensionRequest(exchange, memory);
    }
}

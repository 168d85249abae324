package io.sigma.dataplane.filter.header;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.HeaderEditor;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.HeadersPlugin;

/** Changes the fields of requests and of responses. */
public final class HeadersFilter implements Filter {

    private final HeaderEditor request;
    private final HeaderEditor response;

    public HeadersFilter(HeadersPlugin plugin) {
        this.request = new HeaderEditor(plugin.request());
        this.response = new HeaderEditor(plugin.response());
    }

    @Override
    public boolean isPure() {
        return true;
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        request.apply(exchange.request().fields());
        return Verdict.CONTINUE;
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        response.apply(head.fields());
    }
}

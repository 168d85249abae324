package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.model.XFramePlugin;

/** Adds X-Frame-Options (RFC 7034) to responses that lack it. */
final class XFrameFilter implements Filter {

    private final String value;

    XFrameFilter(XFramePlugin plugin) {
        this.value = plugin.value().name();
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        if (!head.fields().contains("x-frame-options")) {
            head.fields().set("x-frame-options", value);
        }
    }
}

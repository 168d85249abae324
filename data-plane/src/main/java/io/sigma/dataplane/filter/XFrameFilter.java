package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.model.XFramePlugin;

/** Adds X-Frame-Options (RFC 7034) to responses that lack it. */
final class XFrameFilter implements Filter {

    private static final String NAME = "x-frame-options";

    private final FieldLine line;

    XFrameFilter(XFramePlugin plugin) {
        this.line = new FieldLine(NAME, plugin.value().name());
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        if (!head.fields().contains(NAME)) {
            head.fields().add(line);
        }
    }
}

package io.sigma.dataplane.filter.header;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.model.XFramePlugin;

/** Adds X-Frame-Options (RFC 7034) to responses that lack it. */
public final class XFrameFilter implements Filter {

    private static final String NAME = "x-frame-options";

    private final FieldLine line;

    public XFrameFilter(XFramePlugin plugin) {
        this.line = new FieldLine(NAME, plugin.value().name());
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        if (!head.fields().contains(NAME)) {
            head.fields().add(line);
        }
    }
}

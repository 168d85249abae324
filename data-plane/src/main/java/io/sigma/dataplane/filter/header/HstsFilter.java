package io.sigma.dataplane.filter.header;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.model.HstsPlugin;

/** Adds Strict-Transport-Security for clients that came by https only (RFC 6797 §7.2). */
public final class HstsFilter implements Filter {

    private final FieldLine line;

    public HstsFilter(HstsPlugin plugin) {
        this.line = new FieldLine(
                "strict-transport-security",
                "max-age=" + plugin.maxAgeSeconds() + (plugin.includeSubDomains() ? "; includeSubDomains" : ""));
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        if (exchange.tls()) {
            head.fields().remove(line.name());
            head.fields().add(line);
        }
    }
}

package io.sigma.dataplane.filter.header;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.model.CspDirective;
import io.sigma.model.CspPlugin;
import java.util.stream.Collectors;

/** Adds Content-Security-Policy to responses that lack it. */
public final class CspFilter implements Filter {

    private final FieldLine line;

    public CspFilter(CspPlugin plugin) {
        String name = plugin.reportOnly() ? "content-security-policy-report-only" : "content-security-policy";
        this.line = new FieldLine(
                name, plugin.directives().stream().map(CspFilter::text).collect(Collectors.joining("; ")));
    }

    private static String text(CspDirective directive) {
        String given = directive.value();
        return given == null || given.isEmpty() ? directive.name() : directive.name() + " " + given;
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        if (!head.fields().contains(line.name())) {
            head.fields().add(line);
        }
    }
}

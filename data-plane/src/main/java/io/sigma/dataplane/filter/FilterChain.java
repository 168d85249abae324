package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.model.Plugins;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The filters of a route, in the order in which they see the request. Immutable. */
public final class FilterChain {

    private final Filter[] filters;
    private final boolean accessLog;
    private final @Nullable CorsFilter cors;

    private FilterChain(List<Filter> filters, boolean accessLog, @Nullable CorsFilter cors) {
        this.filters = filters.toArray(Filter[]::new);
        this.accessLog = accessLog;
        this.cors = cors;
    }

    /**
     * Returns the chain of {@code plugins}, which are already merged over the levels.
     *
     * @throws io.sigma.value.InvalidValue when they were not checked before
     */
    public static FilterChain of(Plugins plugins) {
        List<Filter> filters = new ArrayList<>();
        if (plugins.httpsRedirect() != null && plugins.httpsRedirect().enabled()) {
            filters.add(new HttpsRedirectFilter(plugins.httpsRedirect()));
        }
        CorsFilter cors = plugins.cors() != null && plugins.cors().enabled() ? new CorsFilter(plugins.cors()) : null;
        if (cors != null) {
            filters.add(cors);
        }
        if (plugins.csp() != null && plugins.csp().enabled()) {
            filters.add(new CspFilter(plugins.csp()));
        }
        if (plugins.hsts() != null && plugins.hsts().enabled()) {
            filters.add(new HstsFilter(plugins.hsts()));
        }
        if (plugins.xFrame() != null && plugins.xFrame().enabled()) {
            filters.add(new XFrameFilter(plugins.xFrame()));
        }
        if (plugins.staticResources() != null && plugins.staticResources().enabled()) {
            filters.add(new StaticResourcesFilter(plugins.staticResources()));
        }
        if (plugins.rewritePath() != null && plugins.rewritePath().enabled()) {
            filters.add(new RewritePathFilter(plugins.rewritePath()));
        }
        boolean log = plugins.accessLog() == null || plugins.accessLog().enabled();
        return new FilterChain(filters, log, cors);
    }

    /** Returns whether exchanges are written to the access log. */
    public boolean accessLog() {
        return accessLog;
    }

    /** Returns whether preflight requests are answered here. */
    public boolean answersPreflight() {
        return cors != null;
    }

    /**
     * Shows the request to the filters from {@code start} on.
     *
     * @return the index of the filter that took the request, -1 when all let it go on
     */
    public int onRequest(int start, Exchange exchange, Replies replies) {
        for (int i = start; i < filters.length; i++) {
            if (filters[i].onRequest(exchange, replies) == Filter.Verdict.TAKEN) {
                return i;
            }
        }
        return -1;
    }

    /** Shows a response to all filters. */
    public void onResponse(Exchange exchange, ResponseHead head) {
        for (Filter filter : filters) {
            filter.onResponse(exchange, head);
        }
    }
}

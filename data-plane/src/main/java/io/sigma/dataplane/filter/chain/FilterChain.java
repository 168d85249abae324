package io.sigma.dataplane.filter.chain;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;
import io.sigma.dataplane.filter.header.CorsFilter;
import io.sigma.dataplane.telemetry.LogTarget;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The filters of a route, in the order in which they see the request. Immutable. */
public final class FilterChain {

    private static final Logger LOG = LoggerFactory.getLogger(FilterChain.class);

    private final List<FilterPool.Entry> entries;
    // Most filters have something to say to one or two of these only.
    private final Filter[] onRequest;
    private final Filter[] onResponse;
    private final Filter[] onEnd;
    private final boolean accessLog;
    private final LogTarget logTarget;
    private final boolean answersPreflight;

    FilterChain(List<FilterPool.Entry> entries, boolean accessLog, LogTarget logTarget) {
        this.entries = List.copyOf(entries);
        this.onRequest = having("onRequest", Exchange.class, Replies.class);
        this.onResponse = having("onResponse", Exchange.class, ResponseHead.class);
        this.onEnd = having("onEnd", Exchange.class);
        this.accessLog = accessLog;
        this.logTarget = logTarget;
        this.answersPreflight = entries.stream().anyMatch(entry -> entry.filter() instanceof CorsFilter);
    }

    /** Returns the filters that do something when that method is called, in their order. */
    private Filter[] having(String method, Class<?>... parameters) {
        return entries.stream()
                .map(FilterPool.Entry::filter)
                .filter(filter -> overrides(filter, method, parameters))
                .toArray(Filter[]::new);
    }

    static boolean overrides(Filter filter, String method, Class<?>... parameters) {
        try {
            return filter.getClass().getMethod(method, parameters).getDeclaringClass() != Filter.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    List<FilterPool.Entry> entries() {
        return entries;
    }

    /** Returns whether exchanges are written to the access log. */
    public boolean accessLog() {
        return accessLog;
    }

    /** Returns how and where they are written. */
    public LogTarget logTarget() {
        return logTarget;
    }

    /** Returns whether preflight requests are answered here. */
    public boolean answersPreflight() {
        return answersPreflight;
    }

    /** Removes from the response of a node what is the gateway's to say; before the edits of a proxy pass. */
    public void strip(ResponseHead head) {
        if (answersPreflight) {
            CorsFilter.removeAnswers(head.fields());
        }
    }

    /**
     * Shows the request to the filters from {@code start} on; the first one is at 0.
     *
     * @return the index of the filter that took the request, -1 when all let it go on
     */
    public int onRequest(int start, Exchange exchange, Replies replies) {
        for (int i = start; i < onRequest.length; i++) {
            if (onRequest[i].onRequest(exchange, replies) == Filter.Verdict.TAKEN) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Shows a response to all filters. One that fails does not keep it from the others.
     *
     * @return false when one failed, so that nobody knows what the response lacks
     */
    public boolean onResponse(Exchange exchange, ResponseHead head) {
        boolean whole = true;
        for (Filter filter : onResponse) {
            try {
                filter.onResponse(exchange, head);
            } catch (RuntimeException | Error e) {
                LOG.error("A filter failed at a response", e);
                whole = false;
            }
        }
        return whole;
    }

    /**
     * Tells all filters that the exchange is over; to be called once. One that fails does not keep it from the others.
     */
    public void onEnd(Exchange exchange) {
        for (Filter filter : onEnd) {
            try {
                filter.onEnd(exchange);
            } catch (RuntimeException | Error e) {
                LOG.error("A filter failed at the end of an exchange", e);
            }
        }
    }
}

package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.exchange.rule.LoopMark;
import io.sigma.dataplane.filter.chain.FilterChain;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.dataplane.match.RouteRule;
import io.sigma.dataplane.match.Routed;
import io.sigma.dataplane.telemetry.RouteMeters;
import io.sigma.model.Route;

/**
 * A route, compiled with everything that a request on it needs. Immutable.
 *
 * @param source the resource that this was compiled from
 * @param loopMark by which requests are known that come back
 */
public record RuntimeRoute(
        String id,
        Route source,
        RuntimeRouter router,
        RouteRule rule,
        RuntimePass pass,
        FilterChain filters,
        RouteMeters meters,
        LoopMark loopMark)
        implements Routed {

    public ForwardedFields forwarded() {
        return router.forwarded();
    }
}

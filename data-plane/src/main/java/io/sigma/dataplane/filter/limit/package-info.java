/**
 * Filters that bound the rate and the number of requests. Start at
 * {@link io.sigma.dataplane.filter.limit.RateLimitFilter}. Called on the event loop of the exchange; event loops share
 * the counters.
 */
@NullMarked
package io.sigma.dataplane.filter.limit;

import org.jspecify.annotations.NullMarked;

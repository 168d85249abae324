/**
 * Plugins as they run. A chain is compiled for every combination of plugins that is configured, and shared by the routes
 * that have it. Start at {@link io.sigma.dataplane.filter.FilterChain}. Immutable; called on the event loop of the
 * exchange.
 */
@NullMarked
package io.sigma.dataplane.filter;

import org.jspecify.annotations.NullMarked;

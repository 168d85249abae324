/**
 * Filters, the running form of plugins, and their common parts. Start at {@link io.sigma.dataplane.filter.Filter}.
 * Immutable; called on the event loop of the exchange.
 */
@NullMarked
package io.sigma.dataplane.filter;

import org.jspecify.annotations.NullMarked;

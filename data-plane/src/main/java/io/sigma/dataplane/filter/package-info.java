/**
 * What a filter is, and what filters have in common. A filter is the running form of a plugin. Start at
 * {@link io.sigma.dataplane.filter.Filter}. Immutable; called on the event loop of the exchange.
 */
@NullMarked
package io.sigma.dataplane.filter;

import org.jspecify.annotations.NullMarked;

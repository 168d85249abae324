/**
 * Chains of filters: one is compiled for every combination of plugins that is configured, and shared by the routes that
 * have it. Start at {@link io.sigma.dataplane.filter.chain.FilterChain};
 * {@link io.sigma.dataplane.filter.chain.PluginTypes} lists all plugins. Chains are compiled on a worker thread, and
 * called on the event loop of the exchange.
 */
@NullMarked
package io.sigma.dataplane.filter.chain;

import org.jspecify.annotations.NullMarked;

/**
 * Counts and bounds of connections and of requests that wait for one. Start at
 * {@link io.sigma.dataplane.upstream.pool.SocketBudget}. Event loops share these counts.
 */
@NullMarked
package io.sigma.dataplane.upstream.pool;

import org.jspecify.annotations.NullMarked;

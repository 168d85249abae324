/**
 * Active health checks of nodes, and the state of all upstreams. Start at
 * {@link io.sigma.dataplane.upstream.health.HealthMonitor}, which is thread-safe; checks run on a spare event loop.
 */
@NullMarked
package io.sigma.dataplane.upstream.health;

import org.jspecify.annotations.NullMarked;

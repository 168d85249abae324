/**
 * Upstreams as they run: which node is next, and the connections to it. A cluster is shared by all event loops, what
 * changes with requests is kept per loop; loops share counters only where connections are opened and requests queue.
 * Start at {@link io.sigma.dataplane.upstream.UpstreamCluster}.
 */
@NullMarked
package io.sigma.dataplane.upstream;

import org.jspecify.annotations.NullMarked;

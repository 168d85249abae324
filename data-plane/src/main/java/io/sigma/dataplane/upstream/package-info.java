/**
 * Upstreams as they run: which node is next, and the connections to it. All event loops share a cluster. Each loop has
 * its own state of balancing, in {@link io.sigma.dataplane.upstream.LoopTier}, which chooses the node. Loops share
 * counters only where connections are opened and requests queue. Start at
 * {@link io.sigma.dataplane.upstream.UpstreamCluster}.
 */
@NullMarked
package io.sigma.dataplane.upstream;

import org.jspecify.annotations.NullMarked;

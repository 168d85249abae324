/**
 * The warm-up: a gateway sends requests to itself before it serves the first revision, so that its code is compiled
 * when clients come. Start at {@link io.sigma.dataplane.warmup.WarmUpConfiguration}, the served configuration, and
 * {@link io.sigma.dataplane.warmup.WarmUpPeers}, the clients and nodes. Both run on the thread of the warm-up.
 */
@NullMarked
package io.sigma.dataplane.warmup;

import org.jspecify.annotations.NullMarked;

/**
 * What a gateway asks itself before it serves the first revision, so that its code is compiled when clients come. Start
 * at {@link io.sigma.dataplane.warmup.WarmUpConfiguration}, what is served, and {@link
 * io.sigma.dataplane.warmup.WarmUpPeers}, who asks and who answers. Both run on the thread of the warm-up.
 */
@NullMarked
package io.sigma.dataplane.warmup;

import org.jspecify.annotations.NullMarked;

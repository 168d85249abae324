/**
 * The gateway: it serves what a snapshot says. Start at {@link io.sigma.dataplane.Gateway} for its life and at
 * {@code ExchangeHandler} for that of a request. Requests run on event loops, snapshots are compiled on a worker thread.
 */
@NullMarked
package io.sigma.dataplane;

import org.jspecify.annotations.NullMarked;

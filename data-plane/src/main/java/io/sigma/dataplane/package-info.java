/**
 * The gateway: it serves what a snapshot says. Here its parts are put together. Start at
 * {@link io.sigma.dataplane.Gateway} for its life and at {@link io.sigma.dataplane.flow.ExchangeHandler} for that of a
 * request. Requests run on event loops, snapshots are compiled on a worker thread.
 */
@NullMarked
package io.sigma.dataplane;

import org.jspecify.annotations.NullMarked;

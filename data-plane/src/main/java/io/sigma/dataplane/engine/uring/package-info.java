/**
 * Connections of clients in plaintext and to nodes straight on io_uring: a channel that asks the kernel for what a
 * connection needs, and for nothing else. Start at {@link io.sigma.dataplane.engine.uring.RingAcceptor}, which runs on
 * the event loop that accepts, and {@link io.sigma.dataplane.engine.uring.RingChannel}. How the loop waits is in
 * {@link io.sigma.dataplane.engine.uring.RingHandler}.
 */
@NullMarked
package io.sigma.dataplane.engine.uring;

import org.jspecify.annotations.NullMarked;

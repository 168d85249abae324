/**
 * Connections of clients in plaintext straight on io_uring: a channel that asks the kernel for what a connection needs, and for
 * nothing else. Start at {@link io.sigma.dataplane.engine.uring.RingAcceptor}, which runs on the event loop that accepts.
 */
@NullMarked
package io.sigma.dataplane.engine.uring;

import org.jspecify.annotations.NullMarked;

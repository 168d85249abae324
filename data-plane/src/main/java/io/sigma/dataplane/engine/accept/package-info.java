/**
 * Accepting connections of clients: sockets that listen, the PROXY protocol, TLS, then the protocol of the listener.
 * This package knows no protocol. Start at {@link io.sigma.dataplane.engine.accept.LoopListener}. Everything of a
 * connection runs on its event loop.
 */
@NullMarked
package io.sigma.dataplane.engine.accept;

import org.jspecify.annotations.NullMarked;

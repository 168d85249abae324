/**
 * How connections of clients begin: sockets that listen, the PROXY protocol, TLS, then HTTP/1.1 or HTTP/2. Start at
 * {@link io.sigma.dataplane.engine.accept.LoopListener}. Everything of a connection runs on its event loop.
 */
@NullMarked
package io.sigma.dataplane.engine.accept;

import org.jspecify.annotations.NullMarked;

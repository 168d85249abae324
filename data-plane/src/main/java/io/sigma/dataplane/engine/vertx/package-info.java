/**
 * How connections begin: sockets that listen, the PROXY protocol, TLS, the choice of HTTP/1.1 or HTTP/2, and connections to nodes. Start
 * at {@link io.sigma.dataplane.engine.vertx.VertxEngine}. Everything of a connection runs on its event loop.
 */
@NullMarked
package io.sigma.dataplane.engine.vertx;

import org.jspecify.annotations.NullMarked;

/**
 * The engine on Vert.x: HTTP/1.1 and HTTP/2 towards clients through {@code HttpServer}, HTTP/1.1 towards nodes through
 * unpooled connections of {@code HttpClient}, pooled by the gateway itself. Start at
 * {@link io.sigma.dataplane.engine.vertx.VertxEngine}. Everything of an exchange runs on the event loop of its connection.
 */
@NullMarked
package io.sigma.dataplane.engine.vertx;

import org.jspecify.annotations.NullMarked;

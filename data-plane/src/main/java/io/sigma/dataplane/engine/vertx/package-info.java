/**
 * The engine on Vert.x: listeners, TLS and HTTP/2 on both sides through {@code HttpServer} and unpooled connections of
 * {@code HttpClient}, pooled by the gateway itself; HTTP/1.1 as well where its codec is chosen. Start at
 * {@link io.sigma.dataplane.engine.vertx.VertxEngine}. Everything of an exchange runs on the event loop of its connection.
 */
@NullMarked
package io.sigma.dataplane.engine.vertx;

import org.jspecify.annotations.NullMarked;

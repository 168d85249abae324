/**
 * Connections of clients on which HTTP is spoken: which version, the times for heads, and the heads of requests. Start
 * at {@link io.sigma.dataplane.engine.client.HttpConnection}. Everything of a connection runs on its event loop.
 */
@NullMarked
package io.sigma.dataplane.engine.client;

import org.jspecify.annotations.NullMarked;

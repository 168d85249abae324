/**
 * Protocols whose messages are frames: requests with an id, and answers with the same one. Many clients share few
 * connections to nodes, on which the requests have ids of the gateway's. A protocol is a
 * {@link io.sigma.dataplane.engine.framed.FramedProtocol}. Start at
 * {@link io.sigma.dataplane.engine.framed.FramedConnection}. Everything of a connection runs on its event loop.
 */
@NullMarked
package io.sigma.dataplane.engine.framed;

import org.jspecify.annotations.NullMarked;

/**
 * Relaying of a request to one node and of the response back, whichever protocol each side has. The two sides are
 * {@link io.sigma.dataplane.engine.relay.ClientStream} and {@link io.sigma.dataplane.engine.relay.NodeStream}; data
 * passes between them as buffers that belong to whoever holds them. Start at {@link
 * io.sigma.dataplane.engine.relay.Call}. Bodies that wait are in {@code engine.body}, tunnels are in {@code
 * engine.tunnel}. All of a request is confined to the event loop of its client's connection.
 */
@NullMarked
package io.sigma.dataplane.engine.relay;

import org.jspecify.annotations.NullMarked;

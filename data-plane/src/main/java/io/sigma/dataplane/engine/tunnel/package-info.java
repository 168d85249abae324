/**
 * Switching protocols between a client and a node: the handshake, then bytes in both directions until both have ended.
 * Start at {@link io.sigma.dataplane.engine.tunnel.Tunnel}, and for what comes before at {@link
 * io.sigma.dataplane.engine.tunnel.ProtocolSwitch}. A tunnel is confined to the event loop of its client's connection.
 */
@NullMarked
package io.sigma.dataplane.engine.tunnel;

import org.jspecify.annotations.NullMarked;

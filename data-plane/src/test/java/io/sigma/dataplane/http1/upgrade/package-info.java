/**
 * Switches of protocols over real sockets: WebSocket, other upgrades, and the tunnels that follow. Start at {@link
 * io.sigma.dataplane.http1.upgrade.TunnelTest}.
 */
@NullMarked
package io.sigma.dataplane.http1.upgrade;

import org.jspecify.annotations.NullMarked;

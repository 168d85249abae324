/**
 * Ports that strangers reach: connections are bounded from when they are accepted, before TLS and before a head. Start
 * at {@link io.sigma.controlplane.port.GuardedPort}. Runs on the acceptor's and the connections' event loops.
 */
@NullMarked
package io.sigma.controlplane.port;

import org.jspecify.annotations.NullMarked;

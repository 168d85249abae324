package io.sigma.dataplane.engine.datagram;

import java.net.InetSocketAddress;

/**
 * The sender of a datagram that belongs to no session yet.
 *
 * @param owner whom a session of it counts for, by {@link io.sigma.dataplane.exchange.ClientKey}
 */
record Newcomer(ClientAddress client, InetSocketAddress from, long owner) {}

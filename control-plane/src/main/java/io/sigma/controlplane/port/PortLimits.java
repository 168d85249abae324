package io.sigma.controlplane.port;

import io.sigma.value.TrustedAddresses;
import java.time.Duration;

/**
 * The limits of a port's connections.
 *
 * @param name of the port, for the log
 * @param connectionsMax largest number of connections of the port
 * @param ofAddressMax largest number of connections of one address, or of one IPv6 /64
 * @param shared addresses of proxies: many clients come from one, so it has no share of its own
 * @param head longest time from when a connection is accepted, or from the first byte of a later request, until the
 *     head is complete; TLS included
 * @param idle longest time between two requests
 */
public record PortLimits(
        String name, int connectionsMax, int ofAddressMax, TrustedAddresses shared, Duration head, Duration idle) {}

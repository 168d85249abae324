package io.sigma.dataplane.link;

import java.time.Instant;

/**
 * The identity of a gateway in every status.
 *
 * @param id the id that its certificate names
 * @param host name of the machine
 * @param startedAt when the process started
 */
public record GatewayIdentity(String id, String host, String version, Instant startedAt) {}

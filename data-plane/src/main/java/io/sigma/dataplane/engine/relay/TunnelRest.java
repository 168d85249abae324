package io.sigma.dataplane.engine.relay;

/**
 * How long nothing may pass through a tunnel.
 *
 * @param openMillis while both sides may send and have read everything, in milliseconds
 * @param stalledMillis while one of them has ended or does not read, in milliseconds
 */
record TunnelRest(int openMillis, int stalledMillis) {}

/**
 * The link between control planes and gateways from both ends, over real sockets and a real PostgreSQL. Only the log of
 * revisions and the state that a gateway serves are replaced. Start at {@link io.sigma.inprocess.fleet.FleetTest}.
 */
@NullMarked
package io.sigma.inprocess.fleet;

import org.jspecify.annotations.NullMarked;

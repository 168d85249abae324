/**
 * Both ends of the way between control planes and gateways, over real sockets and a real PostgreSQL; only what is
 * served at either end is a test's. Start at {@link io.sigma.standalone.fleet.FleetTest}.
 */
@NullMarked
package io.sigma.standalone.fleet;

import org.jspecify.annotations.NullMarked;

/**
 * The base of tests of the gateway: a gateway, nodes and clients on real sockets, configurations. Start at {@link
 * io.sigma.dataplane.testkit.GatewayHarness}.
 */
@NullMarked
package io.sigma.dataplane.testkit;

import org.jspecify.annotations.NullMarked;

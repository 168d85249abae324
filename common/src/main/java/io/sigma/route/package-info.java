/**
 * The order of two routes, for gateways, which match by it, and for the control plane, which finds routes that no
 * request reaches. Start at {@link io.sigma.route.RoutePlace}. Pure; any thread.
 */
@NullMarked
package io.sigma.route;

import org.jspecify.annotations.NullMarked;

/**
 * Which of two routes comes first, for the gateways that match by it and for the control plane that looks for routes
 * that never get their turn. Start at {@link io.sigma.route.RoutePlace}. Pure; any thread.
 */
@NullMarked
package io.sigma.route;

import org.jspecify.annotations.NullMarked;

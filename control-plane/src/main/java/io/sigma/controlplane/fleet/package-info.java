/**
 * The gateways: who lives, what each serves, and what it said to a revision. Start at
 * {@link io.sigma.controlplane.fleet.Fleet}. Thread-safe where the types say so.
 */
@NullMarked
package io.sigma.controlplane.fleet;

import org.jspecify.annotations.NullMarked;

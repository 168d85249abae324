/**
 * The rules of a configuration beyond the schemas of the contract. The control plane checks them before it stores, the
 * file reader before it loads, a gateway before it compiles. Start at {@link io.sigma.check.ResourceCheck} for one
 * resource and {@link io.sigma.check.StateCheck} for a whole state. Pure.
 */
@NullMarked
package io.sigma.check;

import org.jspecify.annotations.NullMarked;

/**
 * What a configuration must be beyond the shapes of the contract. The control plane asks before it stores, the file
 * reader before it loads, a gateway before it compiles: all three call this. Start at
 * {@link io.sigma.check.ResourceCheck} for one resource and {@link io.sigma.check.StateCheck} for a whole state. Pure.
 */
@NullMarked
package io.sigma.check;

import org.jspecify.annotations.NullMarked;

/**
 * A gateway takes the place of another one under load, as real processes. Start at
 * {@link io.sigma.e2e.takeover.TakeoverTest}.
 */
@NullMarked
package io.sigma.e2e.takeover;

import org.jspecify.annotations.NullMarked;

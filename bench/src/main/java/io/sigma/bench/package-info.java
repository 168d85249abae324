/**
 * Benchmarks that anyone can repeat with {@code make bench-parts}. Start at {@link io.sigma.bench.Propagation} for how
 * long a change takes to reach gateways and at {@link io.sigma.bench.RouteLookup} for what matching costs.
 */
@NullMarked
package io.sigma.bench;

import org.jspecify.annotations.NullMarked;

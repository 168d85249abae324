/**
 * Benchmarks of the control plane, with a real PostgreSQL and with gateways that speak the real protocol
 * ({@code make bench-control}). Start at {@link io.sigma.bench.control.ControlBench}; each
 * {@link io.sigma.bench.control.Scenario} is one part. Control planes and gateways are processes of their own; what is
 * measured is measured where a client is.
 */
@NullMarked
package io.sigma.bench.control;

import org.jspecify.annotations.NullMarked;

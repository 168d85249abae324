/**
 * End-to-end tests: what {@code make dist} leaves is started as real processes, with a real PostgreSQL and a real
 * upstream, and is killed for real. Start at {@link io.sigma.e2e.SurvivalTest}. The test thread waits; processes run
 * beside it.
 */
@NullMarked
package io.sigma.e2e;

import org.jspecify.annotations.NullMarked;

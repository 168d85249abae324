package io.sigma.dataplane.telemetry;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * The answer of {@code /health/ready}. Only the first one keeps requests from being served. All are thread-safe.
 *
 * @param ready whether requests can be served
 * @param staleFiles how many files could not be read again
 * @param missingListeners how many proxy servers are configured and not open
 * @param unsavedSnapshots 1 while the disk does not take the revision that is served, else 0
 */
public record Readiness(
        BooleanSupplier ready, IntSupplier staleFiles, IntSupplier missingListeners, IntSupplier unsavedSnapshots) {}

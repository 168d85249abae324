package io.sigma.dataplane.telemetry;

/** What {@code /health/ready} says. Thread-safe. */
public interface Readiness {

    /** Returns whether requests can be served. */
    boolean isReady();

    /** Returns how many files could not be read again, which does not keep requests from being served. */
    default int staleFiles() {
        return 0;
    }

    /** Returns how many proxy servers are configured and not open, which does not keep the others from being served. */
    default int missingListeners() {
        return 0;
    }
}

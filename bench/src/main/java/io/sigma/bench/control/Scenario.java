package io.sigma.bench.control;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A part of the benchmark. */
interface Scenario {

    /** Puts what it measures into {@code figures}. */
    void run(Effort effort, ObjectNode figures) throws Exception;

    /**
     * The effort of a measurement.
     *
     * @param rounds writes that are measured where they are made one after the other
     * @param seconds the time for which traffic is measured
     */
    record Effort(int rounds, int seconds) {}
}

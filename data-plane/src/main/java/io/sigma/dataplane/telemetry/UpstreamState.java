package io.sigma.dataplane.telemetry;

import java.util.Map;
import java.util.function.IntSupplier;

/** The current state of an upstream. Asked on the thread that reads the metrics. */
public interface UpstreamState {

    int nodes();

    /** Returns how many nodes are in service and not known to be unhealthy. */
    int usable();

    /** Returns how many nodes are in each state, by its name in lower case. */
    Map<String, IntSupplier> byState();

    /** Returns how many requests are in progress. */
    int inProgress();

    /** Returns how many requests last as long as their clients want: tunnels, and streams of events. */
    int tunnels();

    /** Returns how many requests wait for a connection. */
    int waiting();

    /** Returns how many requests nodes work on that nobody waits for any more. */
    int abandoned();

    /** Returns 0 while the circuit is closed, or there is none, 1 while it is half open, 2 while it is open. */
    int circuit();

    /** Returns how often the circuit opened. */
    long circuitOpenings();
}

package io.sigma.dataplane.link;

import io.sigma.snapshot.NodeReport;
import java.util.List;

/** The reports of a gateway about its nodes. Thread-safe. */
public interface NodeReports {

    /** Returns a number that changes, at the latest, with what {@link #all()} returns. */
    long version();

    /** Returns what is held of each node. */
    List<NodeReport> all();
}

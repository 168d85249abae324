package io.sigma.dataplane.engine;

import java.util.Collection;
import java.util.List;

/** The last known addresses of names, which one process hands to the next. Thread-safe. */
public interface KnownNames {

    /** Returns the addresses that may stand in for answers of the name service now. */
    List<NameAddress> known();

    /** Goes on with the addresses that another process knows. */
    void know(Collection<NameAddress> known);
}

package io.sigma.dataplane.loop;

import io.sigma.model.GatewayConnection;

/** A connection that an operator can see and close. Confined to its event loop. */
public interface LiveConnection {

    /**
     * Returns what is known of it now.
     *
     * @param id under which it is listed
     */
    GatewayConnection describe(String id);

    /** Ends it, behind what was written. It leaves the list when it is over. */
    void close();
}

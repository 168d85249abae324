package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.loop.Deadlines;

/** Something that wants a connection. Confined to its event loop. */
public abstract class Waiter extends Deadlines.Entry {

    boolean waiting;
    boolean queued;

    /** Called once with a connection, maybe before {@link NodePool#acquire} returns. */
    protected abstract void onConnection(PooledConnection connection);

    /** Called once when there will be no connection. */
    protected abstract void onNoConnection(GatewayError error);
}

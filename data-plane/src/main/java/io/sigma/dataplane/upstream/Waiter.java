package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.loop.Deadlines;

/** Something that wants a connection. Confined to its event loop. */
public abstract class Waiter extends Deadlines.Entry {

    boolean waiting;
    boolean queued;
    /** Whether it rather waits for its own attempt than takes a connection that has carried a request. */
    boolean fresh;
    /**
     * How often it has stopped waiting. A call that is used again may wait in another pool while a connection is still being
     * opened on behalf of its earlier request.
     */
    int waits;

    /** Called once with a connection, maybe before {@link NodePool#acquire} returns. */
    protected abstract void onConnection(PooledConnection connection);

    /** Called once when there will be no connection. */
    protected abstract void onNoConnection(GatewayError error);
}

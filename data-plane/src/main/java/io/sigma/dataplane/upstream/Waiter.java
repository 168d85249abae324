package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.loop.Deadlines;
import org.jspecify.annotations.Nullable;

/** Something that wants a connection. Confined to its event loop. */
public abstract class Waiter extends Deadlines.Entry {

    boolean waiting;
    boolean queued;
    /** When it began to wait, by {@link io.sigma.dataplane.loop.Loop#nanos}. */
    long sinceNanos;
    /** True if most of its time was over when a connection was opened on its behalf. */
    boolean unqueuedLate;
    /** True if it rather waits for its own attempt than takes a connection that has carried a request. */
    boolean fresh;
    /**
     * The number of times that it has stopped waiting. A call that is used again may wait in another pool while a
     * connection is still being opened on behalf of its earlier request.
     */
    int waits;

    /** Those of the same client that wait with it; null while it does not wait. */
    @Nullable
    WaiterGroup group;

    /** Neighbours in the list of the group. */
    @Nullable
    Waiter before;

    @Nullable
    Waiter after;

    /**
     * Returns whether it has spent its time waiting for others, which says nothing about the node, rather than for a
     * connection.
     */
    protected final boolean waitedForOthers() {
        return queued || unqueuedLate;
    }

    /** Returns the client on whose behalf it waits, by {@link io.sigma.dataplane.exchange.ClientKey}. */
    protected abstract long client();

    /** Returns how long it waits at most, in milliseconds. */
    protected abstract int waitMillisMax();

    /** Called once with a connection, maybe before {@link NodePool#acquire} returns. */
    protected abstract void onConnection(PooledConnection connection);

    /** Called once when there will be no connection. */
    protected abstract void onNoConnection(GatewayError error);
}

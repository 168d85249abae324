package io.sigma.dataplane.upstream;

import org.jspecify.annotations.Nullable;

/**
 * A connection to a node, as a pool sees it: it carries one request at a time, or several where the protocol has
 * streams. An engine extends it. Confined to its event loop.
 */
public abstract class PooledConnection {

    @Nullable
    NodePool pool;

    /** The pool that it was opened for, also when it is closed. */
    @Nullable
    NodePool home;

    boolean idle;
    boolean sharing;
    boolean draining;
    /** True if the {@link Opener} expects it to take more requests than it takes now. */
    boolean settling;

    long idleSinceMillis;
    /** Once it has waited so long for a request, it gets none: the node is about to close it. */
    int idleMillisMax = Integer.MAX_VALUE;

    long bornMillis;
    /** True if it ever waited for a request, so that the node may have closed it meanwhile. */
    boolean kept;

    /** True if it has left the bound on connections for that on tunnels. */
    boolean tunnel;

    /** The client whose request it carries; of several requests the last one. */
    private long client;

    private int leases;
    private int uses;

    /** Returns whether a request may be written to it. */
    protected abstract boolean isOpen();

    /** Closes it; the engine then calls {@link #closed()}. */
    protected abstract void close();

    /** Returns how many requests it may carry at a time now. */
    protected int streamsMax() {
        return 1;
    }

    /** Returns whether the node has not said yet how many it takes; {@link #streamsChanged()} follows then. */
    protected boolean isSettling() {
        return false;
    }

    /** To be called by the engine when {@link #streamsMax()} or {@link #isSettling()} has changed. */
    protected final void streamsChanged() {
        NodePool owner = pool;
        if (owner != null) {
            owner.onStreamsChanged(this);
        }
    }

    /** To be called by the engine when the node has said how long it keeps the connection without a request. */
    protected final void idleAtMost(int millis) {
        idleMillisMax = millis;
    }

    /** To be called by the engine when the node takes no further request; those that run are finished. */
    protected final void drain() {
        NodePool owner = pool;
        draining = true;
        if (owner != null) {
            owner.onDraining(this);
        }
    }

    /** To be called by the engine, once, when the connection is gone for whatever reason. */
    protected final void closed() {
        NodePool owner = pool;
        if (owner != null) {
            pool = null;
            owner.onClosed(this);
        }
    }

    /**
     * Gives it back after a response.
     *
     * @param reusable whether it can carry another request; if not, it is closed when the last one is over
     * @param of whose request it was, as {@link #client()} said when that began
     */
    public final void release(boolean reusable, long of) {
        NodePool owner = pool;
        leases--;
        if (home != null && !tunnel) {
            home.forget(of);
        }
        if (owner != null) {
            owner.release(this, reusable);
        } else {
            close();
        }
    }

    /** Returns the client whose request was the last to get it, by {@link io.sigma.dataplane.exchange.ClientKey}. */
    public final long client() {
        return client;
    }

    /**
     * Takes it out of the bound on connections: its request is one that lasts. It is closed after it. A place among the
     * tunnels was taken for it, which is given back when it is closed.
     *
     * @return false when it is closed already, and nothing is given back
     */
    public final boolean becomeTunnel() {
        NodePool owner = pool;
        if (owner == null) {
            return false;
        }
        owner.onTunnel(this);
        return true;
    }

    /** Returns whether it was unused for a while, or used before, so that the node may close it just now. */
    public final boolean reused() {
        return kept || uses > 1;
    }

    /** Returns whether it takes one more request now. */
    boolean hasRoom() {
        return !draining && leases < streamsMax() && isOpen();
    }

    boolean isNew() {
        return uses == 0;
    }

    boolean isUnused() {
        return leases == 0;
    }

    void lease(long of) {
        client = of;
        leases++;
        uses++;
    }
}

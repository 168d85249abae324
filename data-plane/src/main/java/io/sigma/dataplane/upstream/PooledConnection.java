package io.sigma.dataplane.upstream;

import org.jspecify.annotations.Nullable;

/** A connection to a node, as a pool sees it. An engine extends it. Confined to its event loop. */
public abstract class PooledConnection {

    @Nullable
    NodePool pool;

    boolean idle;
    long idleSinceMillis;
    private int uses;

    /** Returns whether a request may be written to it. */
    protected abstract boolean isOpen();

    /** Closes it; the engine then calls {@link #closed()}. */
    protected abstract void close();

    /** To be called by the engine, once, when the connection is gone for whatever reason. */
    protected final void closed() {
        NodePool owner = pool;
        if (owner != null) {
            pool = null;
            owner.onClosed(this);
        }
    }

    /** Gives it back after a response, or closes it when it cannot carry another request. */
    public final void release(boolean reusable) {
        NodePool owner = pool;
        if (owner != null) {
            owner.release(this, reusable);
        } else {
            close();
        }
    }

    /** Returns whether it has carried a request before the current one. */
    public final boolean reused() {
        return uses > 1;
    }

    void used() {
        uses++;
    }
}

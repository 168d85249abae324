package io.sigma.dataplane.upstream.proxied;

import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.NodePool;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The connections of one event loop to one node that belong to connections of clients. They share the bounds of the
 * node, so an idle one gives way to a request of another client. Confined to the event loop.
 */
public final class NodePoolsOfClients {

    private final NodeEndpoint node;
    private final Map<NodePool, ClientPools> owners = new HashMap<>();
    /** Those that may have an idle connection, the one that got its last one longest ago first. */
    private final Set<NodePool> rested = new LinkedHashSet<>();

    private boolean retired;

    public NodePoolsOfClients(NodeEndpoint node) {
        this.node = node;
    }

    /** Returns whether the node is not used any more. */
    boolean isRetired() {
        return retired;
    }

    void add(NodePool pool, ClientPools owner) {
        owners.put(pool, owner);
    }

    void remove(NodePool pool) {
        owners.remove(pool);
        rested.remove(pool);
    }

    /** Notes that a connection of {@code pool} has become idle. */
    public void rested(NodePool pool) {
        rested.remove(pool);
        if (owners.containsKey(pool)) {
            rested.add(pool);
        }
    }

    /** Lets go of the connection that is likely to be idle for longest, because {@code asking} has none. */
    public void yieldIdle(NodePool asking) {
        Iterator<NodePool> left = rested.iterator();
        while (left.hasNext()) {
            NodePool pool = left.next();
            if (!pool.hasIdle()) {
                left.remove();
            } else if (!pool.equals(asking)) {
                pool.yieldIdle();
                return;
            }
        }
    }

    /** Closes the connections that are idle now, and the others when they become so. */
    public void retire() {
        retired = true;
        owners.forEach((pool, owner) -> {
            owner.forget(node);
            pool.retire();
        });
        owners.clear();
        rested.clear();
    }
}

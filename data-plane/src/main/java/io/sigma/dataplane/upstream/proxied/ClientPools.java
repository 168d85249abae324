package io.sigma.dataplane.upstream.proxied;

import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.NodePool;
import java.util.HashMap;
import java.util.Map;

/**
 * The connections to nodes that belong to one connection of a client. Each begins with a PROXY header that names the
 * client, so requests of other clients may not be sent on it. Confined to the event loop of the client's connection.
 */
public final class ClientPools {

    /** Has a connection of a client. */
    @FunctionalInterface
    public interface Owner {

        /** Returns the connections to nodes that belong to it. */
        ClientPools ownPools();
    }

    private record Key(NodeEndpoint node, NodeEndpoint.Version version) {}

    private final ProxiedClient client;
    private final int loop;
    private final Map<Key, NodePool> pools = new HashMap<>();
    private boolean ended;

    /**
     * @param loop the index of the event loop
     */
    public ClientPools(ProxiedClient client, int loop) {
        this.client = client;
        this.loop = loop;
    }

    /** Returns what the header says. */
    public ProxiedClient client() {
        return client;
    }

    /** Returns the connections to {@code node} that speak {@code version} of HTTP. */
    public NodePool pool(NodeEndpoint node, NodeEndpoint.Version version) {
        Key key = new Key(node, version);
        NodePool known = pools.get(key);
        if (known != null) {
            return known;
        }
        NodePoolsOfClients others = node.poolsOfClients(loop);
        NodePool made = node.newPool(this, loop, version);
        if (ended || others.isRetired()) {
            // A request that had chosen the node before: it is served, and nothing is kept.
            made.retire();
        } else {
            pools.put(key, made);
            others.add(made, this);
        }
        return made;
    }

    /** Forgets the connections to {@code node}, which close by themselves. */
    void forget(NodeEndpoint node) {
        pools.keySet().removeIf(key -> key.node.equals(node));
    }

    /** Closes what is idle, and the rest when its response is over: the connection of the client has ended. */
    public void end() {
        ended = true;
        pools.forEach((key, pool) -> {
            key.node.poolsOfClients(loop).remove(pool);
            pool.retire();
        });
        pools.clear();
    }
}

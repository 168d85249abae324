package io.sigma.dataplane.upstream;

import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.pool.Places;
import io.sigma.dataplane.upstream.proxied.ClientPools;
import io.sigma.dataplane.upstream.proxied.NodePoolsOfClients;
import io.sigma.model.ClientTls;
import io.sigma.model.NodeProtocol;
import io.sigma.model.NodeProxyProtocol;
import io.sigma.model.Pool;
import io.sigma.model.Upstream;
import io.sigma.value.NodeUrl;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A node of an upstream, with its connections. It outlives snapshots in which nothing of it changes. Shared by the
 * event loops; its pools are not.
 */
public final class NodeEndpoint {

    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private static final int VERSIONS = Version.values().length;

    /** The HTTP version of a pool's connections. */
    public enum Version {
        /** The configured version, or the one that the node chooses. */
        CONFIGURED,
        /** HTTP/1.1, although the node could choose HTTP/2. */
        HTTP1,
        /** HTTP/2 in plaintext, as far as the node speaks it. */
        PRIOR_HTTP2,
        BOLT,
        DUBBO,
        THRIFT
    }

    /**
     * The identity of a node: equal keys are the same node.
     *
     * @param proxyProtocol the header that each connection begins with; null for none
     * @param degrade whether plain HTTP is spoken although the URL says https
     */
    public record Key(
            String upstreamId,
            NodeUrl url,
            Pool pool,
            ClientTls clientTls,
            NodeProtocol protocol,
            @Nullable NodeProxyProtocol proxyProtocol,
            boolean degrade) {

        /** Returns the key of a node of {@code source}. */
        public static Key of(String upstreamId, NodeUrl url, Upstream source, boolean degrade) {
            return new Key(
                    upstreamId, url, source.pool(), source.tls(), source.protocol(), source.proxyProtocol(), degrade);
        }

        /** Returns whether the connection is encrypted. */
        public boolean tls() {
            return url.tls() && !degrade;
        }

        /** Returns the port to connect to; the default one of https becomes that of http where TLS is given up. */
        public int port() {
            return degrade && url.tls() && url.port() == HTTPS ? HTTP : url.port();
        }
    }

    private final Key key;
    private final Connector connector;
    private final NodeLimit limit;
    private final List<NodePool> pools;
    /**
     * Of connections that speak something else than the others, by loop and version: HTTP/1.1 for switches to another
     * protocol where TLS may choose HTTP/2, HTTP/2 for gRPC in plaintext, and protocols of frames. Each is made, and
     * used, on its loop.
     */
    private final @Nullable NodePool[][] otherVersion;

    /** Of clients whose connections have a header. Each is made, and used, on its loop. */
    private final @Nullable NodePoolsOfClients[] ofClients;

    private final PriorKnowledge knowledge = new PriorKnowledge();
    /** By loop, each on its loop. */
    private final boolean[] retired;

    private final NodeLoad[] loads;
    private final NodeHealth health = new NodeHealth(this);
    private final List<Loop> loops;
    private final String authority;
    private final String name;

    public NodeEndpoint(Key key, Connector connector, List<Loop> loops) {
        this.key = key;
        this.connector = connector;
        this.limit = new NodeLimit(key.pool());
        this.loops = loops;
        this.pools = loops.stream().map(loop -> new NodePool(this, loop)).toList();
        this.otherVersion = new @Nullable NodePool[loops.size()][VERSIONS];
        this.ofClients = new @Nullable NodePoolsOfClients[loops.size()];
        this.retired = new boolean[loops.size()];
        this.loads = new NodeLoad[loops.size()];
        Arrays.setAll(loads, loop -> new NodeLoad());
        boolean implied = key.port() == (key.tls() ? HTTPS : HTTP);
        String host = key.url().host();
        String bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        this.authority = implied ? bracketed : bracketed + ":" + key.port();
        this.name = (key.tls() ? "https://" : "http://") + authority;
    }

    public Key key() {
        return key;
    }

    /** Returns whether every connection will carry many requests at a time. */
    boolean multiplexes() {
        return key.protocol() == NodeProtocol.HTTP2;
    }

    /** Returns the Host of the node itself. */
    public String authority() {
        return authority;
    }

    /** Returns the node as logged: {@code http://10.0.0.1:8080}. */
    public String name() {
        return name;
    }

    /** Returns the connections of one loop; to be used on that loop only. */
    public NodePool pool(int loop) {
        return pools.get(loop);
    }

    /** Returns the connections of one loop that can switch to another protocol; to be used on that loop only. */
    public NodePool switchingPool(int loop) {
        return shared(loop, switching());
    }

    /** Returns the connections that requests of {@code client} may use; to be used on its loop only. */
    public NodePool pool(int loop, ClientPools.Owner client) {
        return pool(loop, Version.CONFIGURED, client);
    }

    /** Returns those of {@link #pool(int, ClientPools.Owner)} that can switch to another protocol. */
    public NodePool switchingPool(int loop, ClientPools.Owner client) {
        return pool(loop, switching(), client);
    }

    /**
     * Returns those of {@link #pool(int, ClientPools.Owner)} that can carry gRPC, which is defined over HTTP/2, as far
     * as the node speaks that.
     */
    public NodePool callPool(int loop, ClientPools.Owner client) {
        boolean mayBeHttp2 = !key.tls()
                && key.protocol() == NodeProtocol.AUTO
                && !knowledge.isHttp1(loops.get(loop).nanos());
        return pool(loop, mayBeHttp2 ? Version.PRIOR_HTTP2 : Version.CONFIGURED, client);
    }

    private Version switching() {
        boolean mayBeHttp2 = key.tls() && key.protocol() == NodeProtocol.AUTO;
        return mayBeHttp2 ? Version.HTTP1 : Version.CONFIGURED;
    }

    private NodePool pool(int loop, Version version, ClientPools.Owner client) {
        return key.proxyProtocol() == null
                ? shared(loop, version)
                : client.ownPools().pool(this, version);
    }

    private NodePool shared(int loop, Version version) {
        return version == Version.CONFIGURED ? pools.get(loop) : otherVersion(loop, version);
    }

    /** Returns the connections for {@code client} over which {@code version} is spoken; on its loop only. */
    public NodePool framedPool(int loop, Version version, ClientPools.Owner client) {
        return pool(loop, version, client);
    }

    @SuppressWarnings("EnumOrdinal") // An array slot within one process; nothing is kept.
    private NodePool otherVersion(int loop, Version version) {
        NodePool made = otherVersion[loop][version.ordinal()];
        if (made == null) {
            made = newPool(connector, loop, version, null);
            otherVersion[loop][version.ordinal()] = made;
            if (retired[loop]) {
                // A request that had chosen it before.
                made.retire();
            }
        }
        return made;
    }

    /** Makes a pool of connections of one loop that belong to a client; to be called on that loop. */
    public NodePool newPool(ClientPools client, int loop, Version version) {
        return newPool(connector.onBehalfOf(client.client()), loop, version, poolsOfClients(loop));
    }

    private NodePool newPool(Connector opening, int loop, Version version, @Nullable NodePoolsOfClients others) {
        Loop mine = loops.get(loop);
        return switch (version) {
            case CONFIGURED -> new NodePool(this, mine, opening, null, others);
            case HTTP1 -> new NodePool(this, mine, opening.http1(), null, others);
            case PRIOR_HTTP2 -> new NodePool(this, mine, opening.priorHttp2(), knowledge, others);
            case BOLT, DUBBO, THRIFT -> new NodePool(this, mine, opening.framed(version), null, others);
        };
    }

    /** Returns the pools of one loop that belong to clients; to be called on that loop. */
    public NodePoolsOfClients poolsOfClients(int loop) {
        NodePoolsOfClients made = ofClients[loop];
        if (made == null) {
            made = new NodePoolsOfClients(this);
            ofClients[loop] = made;
            if (retired[loop]) {
                made.retire();
            }
        }
        return made;
    }

    /**
     * Returns whether no connection to it can switch to another protocol: HTTP/2 has no such switch (RFC 9113 §8.6).
     */
    public boolean switchesNever() {
        return key.protocol() == NodeProtocol.HTTP2;
    }

    /** Returns how many connections to it are open or being opened, over all loops. */
    public int connections() {
        return limit.connections();
    }

    /** Returns how many requests wait for a connection to it, over all loops. */
    public int queued() {
        return limit.queuedNow();
    }

    /**
     * Takes a place for a request that lasts; from any thread.
     *
     * @return false when there is none for {@code client}
     */
    public boolean tryTunnel(long client) {
        return limit.tryTunnel(client);
    }

    /** Gives back a place of {@link #tryTunnel} that no connection has taken over. */
    public void tunnelEnded(long client) {
        limit.tunnelEnded(client);
    }

    /** Returns the places for streams on which nothing has passed for a while. */
    public Places rests() {
        return limit.rests();
    }

    /** Returns the places for requests that have a connection to it, and whose clients pause within the body. */
    public Places pauses() {
        return limit.pauses();
    }

    /** Returns how many requests that last it has, over all loops. */
    public int tunnels() {
        return limit.tunnels();
    }

    /**
     * Notes that the node works on requests that nobody waits for any more, or that it does so no longer; from any
     * thread.
     */
    public void abandoned(int more) {
        limit.abandoned(more);
    }

    /** Returns how many requests it works on that nobody waits for any more, over all loops. */
    public int abandonedNow() {
        return limit.abandonedNow();
    }

    /** Returns how many requests are assigned to it, over all loops; maybe a moment late. */
    public int inFlight() {
        int sum = 0;
        for (NodeLoad load : loads) {
            sum += load.inFlight();
        }
        return sum;
    }

    /** Returns how many requests ended in success or failure, ever, over all loops. */
    public long requests() {
        return sum(NodeLoad::requests);
    }

    /** Returns how many requests failed, ever, over all loops. */
    public long failures() {
        return sum(NodeLoad::failures);
    }

    long latencyNanos() {
        return sum(NodeLoad::latencyNanos);
    }

    private long sum(ToLongFunction<NodeLoad> part) {
        long sum = 0;
        for (NodeLoad load : loads) {
            sum += part.applyAsLong(load);
        }
        return sum;
    }

    /** Keeps as many unused connections to it as the upstream wants, from now on; from any thread, also again. */
    public void prepare() {
        if (key.pool().idleMin() > 0) {
            for (int i = 0; i < pools.size(); i++) {
                loops.get(i).scheduler().execute(pools.get(i)::prepare);
            }
        }
    }

    /** Closes the connections that are idle now, and the others when they become so; from any thread. */
    public void retire() {
        for (int i = 0; i < pools.size(); i++) {
            int loop = i;
            loops.get(i).scheduler().execute(() -> retire(loop));
        }
    }

    private void retire(int loop) {
        retired[loop] = true;
        pools.get(loop).retire();
        for (NodePool other : otherVersion[loop]) {
            if (other != null) {
                other.retire();
            }
        }
        NodePoolsOfClients mine = ofClients[loop];
        if (mine != null) {
            mine.retire();
        }
    }

    /** Returns whether it may take requests, as far as that is found out. */
    public NodeHealth health() {
        return health;
    }

    NodeLoad load(int loop) {
        return loads[loop];
    }

    Pool pool() {
        return key.pool();
    }

    NodeLimit limit() {
        return limit;
    }

    Connector connector() {
        return connector;
    }

    int share() {
        return limit.share(loops.size());
    }

    void yieldIdle(NodePool asking) {
        for (int i = 0; i < pools.size(); i++) {
            int loop = i;
            loops.get(i).scheduler().execute(() -> {
                yieldIdle(pools.get(loop), asking);
                for (NodePool other : otherVersion[loop]) {
                    if (other != null) {
                        yieldIdle(other, asking);
                    }
                }
                NodePoolsOfClients mine = ofClients[loop];
                if (mine != null) {
                    mine.yieldIdle(asking);
                }
            });
        }
    }

    private static void yieldIdle(NodePool pool, NodePool asking) {
        if (pool != asking) {
            pool.yieldIdle();
        }
    }
}

package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.StreamClient;
import io.sigma.dataplane.engine.StreamEvents;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.StreamEnd;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.loop.LiveConnection;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.PassTarget;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.snapshot.RuntimeServer.StreamRouter;
import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.dataplane.telemetry.LogTarget;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.Outcome;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.model.GatewayConnection;
import io.sigma.model.Protocol;
import io.sigma.model.ServerLimits;
import io.sigma.model.Upstream;
import io.sigma.value.NodeUrl;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All control flow of a connection of TCP or TLS, or of a session of UDP: a router takes it, a node is chosen, and when
 * it is over it is accounted for. It keeps the snapshot that it began with. Confined to the event loop of the
 * connection.
 */
final class StreamHandler extends Deadlines.Entry implements StreamEvents, LiveConnection {

    /** Stands for an upstream that is not there. */
    private static final Object GONE = new Object();

    private final ExchangeServices services;
    private final ActiveSnapshot active;
    private final RuntimeServer server;
    private final long revision;
    private final StreamClient client;
    private final Loop loop;
    /** Under which it is listed. */
    private final long number;

    private @Nullable StreamRouter router;
    private @Nullable PassTarget target;
    private @Nullable NodeEndpoint node;
    private @Nullable Set<NodeEndpoint> tried;
    /** The last seen members of the upstream, or the upstream itself if it is not in use. */
    private @Nullable Object seen;

    private int attempts;
    private boolean assigned;
    private boolean draining;
    private long assignedNanos;
    private long connectedNanos;

    StreamHandler(
            ExchangeServices services,
            ActiveSnapshot active,
            RuntimeServer server,
            long revision,
            StreamClient client) {
        this.services = services;
        this.active = active;
        this.server = server;
        this.revision = revision;
        this.client = client;
        this.loop = services.loops().get(client.loop());
        server.meters().begun(client.loop());
        this.number = loop.connections().add(this);
    }

    @Override
    public void begin() {
        StreamRouter found = server.streams().find(client.serverName(), client.protocols(), address());
        router = found;
        if (found == null) {
            client.close(StreamEnd.NO_ROUTER);
            return;
        }
        long lifetime = found.pass().totalMillis();
        if (lifetime != Long.MAX_VALUE) {
            loop.connectionDeadlines().set(this, lifetime);
        }
        PassTarget chosen = found.pass().split().choose();
        target = chosen;
        ErrorKind refusal = chosen.cluster().admit(client.loop(), loop.nanos());
        if (refusal == null) {
            attempt(chosen, found, null);
        } else {
            chosen.meters().refused(client.loop(), refusal);
            client.close(StreamEnd.of(refusal));
        }
    }

    private @Nullable InetAddress address() {
        InetSocketAddress remote = client.remoteAddress();
        return remote == null ? null : remote.getAddress();
    }

    private void attempt(PassTarget chosen, StreamRouter found, @Nullable GatewayError last) {
        NodeEndpoint next = attempts < found.pass().retry().attemptsMax()
                ? chosen.cluster().pick(client.loop(), client.remoteAddress(), client.serverName(), tried, loop.nanos())
                : null;
        if (next == null) {
            client.close(last == null ? StreamEnd.NO_NODE : StreamEnd.of(last.kind()));
            return;
        }
        if (attempts > 0) {
            chosen.meters().retried(client.loop());
        }
        attempts++;
        node = next;
        assigned = true;
        assignedNanos = loop.nanos();
        chosen.cluster().begun(client.loop(), next);
        // Bytes that are encrypted already are passed on as they are.
        boolean encrypts = server.source().protocol() == Protocol.TCP;
        client.connect(next, encrypts, found.pass().connectMillis());
    }

    @Override
    public void onUnconnected(GatewayError error) {
        PassTarget chosen = target;
        StreamRouter found = router;
        NodeEndpoint failed = node;
        if (chosen == null || found == null || failed == null) {
            return;
        }
        chosen.meters().count(client.loop(), error.kind());
        unassign(Outcome.of(error.kind()));
        if (tried == null) {
            tried = new HashSet<>();
        }
        tried.add(failed);
        attempt(chosen, found, error);
    }

    @Override
    public void onRefused(GatewayError error) {
        PassTarget chosen = target;
        if (chosen != null) {
            chosen.cluster().tunnels(client.loop(), -1);
        }
        connectedNanos = 0;
        onUnconnected(error);
    }

    @Override
    public void onConnected() {
        connectedNanos = loop.nanos();
        PassTarget chosen = target;
        if (chosen != null) {
            chosen.meters().count(client.loop(), null);
            chosen.cluster().tunnels(client.loop(), 1);
        }
        ServerLimits limits = server.source().limits();
        client.pass(limits.streamIdleTimeoutMillis(), limits.idleTimeoutMillis());
    }

    /** Tells the upstream, once for each assignment, how it ended. */
    private void unassign(Outcome outcome) {
        PassTarget chosen = target;
        NodeEndpoint of = node;
        if (assigned && chosen != null && of != null) {
            assigned = false;
            long now = loop.nanos();
            long taken = (connectedNanos == 0 ? now : connectedNanos) - assignedNanos;
            chosen.cluster().ended(client.loop(), of, outcome, taken, assignedNanos, now);
            chosen.meters().ended(client.loop(), connectedNanos == 0 ? 0 : 200, taken);
        }
    }

    /**
     * Gives the connection until the deadline of a drain, when its node takes no connections any more; takes that back
     * when the node takes them again.
     */
    @Override
    @SuppressWarnings("ReferenceEquality") // A change makes another object.
    public void onTick() {
        PassTarget chosen = target;
        NodeEndpoint of = node;
        if (connectedNanos == 0 || chosen == null || of == null) {
            return;
        }
        RuntimeSnapshot now = active.current();
        String id = chosen.cluster().id();
        UpstreamCluster current = now.cluster(id);
        // An upstream that no proxy pass names any more is a part of the configuration all the same.
        Upstream unused = current == null ? now.source().state().upstreams().get(id) : null;
        Object looked = current == null
                ? Objects.requireNonNullElse(unused, GONE)
                : current.core().members();
        if (looked == seen) {
            return;
        }
        seen = looked;
        boolean stays = current == null ? isNode(unused, of) : takesRequests(current, of);
        if (stays == draining) {
            draining = !stays;
            limit();
        }
    }

    private static boolean takesRequests(UpstreamCluster cluster, NodeEndpoint node) {
        return cluster.core().members().stream()
                .anyMatch(member -> member.takesRequests()
                        && member.endpoint().key().url().equals(node.key().url()));
    }

    /** Returns whether {@code node} is not known to be gone from an upstream without a running form. */
    private static boolean isNode(@Nullable Upstream upstream, NodeEndpoint node) {
        return upstream != null
                && (upstream.nodes().isEmpty()
                        || upstream.nodes().stream()
                                .anyMatch(each -> !each.drain()
                                        && !each.down()
                                        && NodeUrl.parse(each.url())
                                                .equals(node.key().url())));
    }

    /** Sets the deadline: what is left of the lifetime, and no more than a drain may take. */
    private void limit() {
        StreamRouter found = router;
        long lifetime = found == null ? Long.MAX_VALUE : found.pass().totalMillis();
        long left = lifetime == Long.MAX_VALUE
                ? lifetime
                : Math.max(0, lifetime - TimeUnit.NANOSECONDS.toMillis(loop.nanos() - client.startNanos()));
        if (draining) {
            left = Math.min(left, services.drainMillis());
        }
        if (left == Long.MAX_VALUE) {
            loop.connectionDeadlines().remove(this);
        } else {
            loop.connectionDeadlines().set(this, left);
        }
    }

    @Override
    protected void onDeadline() {
        client.close(draining ? StreamEnd.DRAINED : StreamEnd.LIFETIME);
    }

    @Override
    public void onEnd(StreamEnd reason) {
        loop.connectionDeadlines().remove(this);
        loop.connections().remove(number);
        int index = client.loop();
        PassTarget chosen = target;
        if (chosen != null && connectedNanos != 0) {
            chosen.cluster().tunnels(index, -1);
            chosen.meters().bytes(index, client.bytesIn(), client.bytesOut());
        }
        unassign(connectedNanos == 0 ? Outcome.CANCELLED : outcome(reason));
        long now = loop.nanos();
        server.meters().ended(index, now - client.startNanos(), now);
        (router == null ? server.unmatched() : router.meters())
                .ended(index, reason, client.bytesIn(), client.bytesOut());
        TailEntries.add(services.tail(), this, reason, now);
        if (services.accessLog().takes(LogTarget.DEFAULT)) {
            StreamRecords.fill(services.accessLog().record(index), this, reason, now);
            services.accessLog().write(index, LogTarget.DEFAULT);
        }
    }

    /** Returns what the end of an open connection says of its node. */
    private Outcome outcome(StreamEnd reason) {
        return switch (reason) {
            // A node that ends a connection of which it said nothing is no good node.
            case NODE_RESET -> client.bytesOut() == 0 ? Outcome.RESET : Outcome.SUCCESS;
            case NODE_UNREACHABLE -> Outcome.CONNECT_FAILED;
            case RESPONSE_TIMEOUT -> Outcome.TIMEOUT;
            default -> Outcome.SUCCESS;
        };
    }

    @Override
    public GatewayConnection describe(String id) {
        return LiveStreams.describe(id, this);
    }

    @Override
    public void close() {
        client.close(StreamEnd.CLOSED);
    }

    RuntimeServer server() {
        return server;
    }

    /** Returns the protocol as it is logged: what a port of HTTPS passes through is no HTTP. */
    String protocol() {
        Protocol spoken = server.source().protocol();
        return spoken == Protocol.HTTPS ? "TLS" : spoken.name();
    }

    StreamClient client() {
        return client;
    }

    @Nullable
    StreamRouter router() {
        return router;
    }

    @Nullable
    PassTarget target() {
        return target;
    }

    @Nullable
    NodeEndpoint node() {
        return node;
    }

    long revision() {
        return revision;
    }

    int attempts() {
        return attempts;
    }

    long connectedNanos() {
        return connectedNanos;
    }
}

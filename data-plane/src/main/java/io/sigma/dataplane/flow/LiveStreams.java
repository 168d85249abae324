package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.ConnectedClient;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.dataplane.snapshot.PassTarget;
import io.sigma.dataplane.snapshot.RuntimeServer.StreamRouter;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.ConnectionProtocol;
import io.sigma.model.GatewayConnection;
import io.sigma.model.Protocol;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Describes connections of TCP and TLS to operators. */
final class LiveStreams {

    /** The same moment on both clocks, so that each list shows the same start time of a connection. */
    @SuppressWarnings("TimeInStaticInitializer") // It is any moment.
    private static final Instant ORIGIN = Instant.now();

    private static final long ORIGIN_NANOS = System.nanoTime();

    private LiveStreams() {}

    /**
     * Returns what is known of {@code stream}.
     *
     * @param id under which it is listed
     */
    static GatewayConnection describe(String id, StreamHandler stream) {
        StreamRouter router = stream.router();
        PassTarget target = stream.target();
        NodeEndpoint node = stream.node();
        return describe(id, stream.client())
                .protocol(
                        stream.server().source().protocol() == Protocol.TCP
                                ? ConnectionProtocol.TCP
                                : ConnectionProtocol.TLS)
                .proxyServerId(stream.server().id())
                .routerId(router == null ? null : router.id())
                .upstreamId(target == null ? null : target.cluster().id())
                .node(node == null ? null : node.name())
                .revision(stream.revision())
                .build();
    }

    /** Describes what every connection of a client has. */
    static GatewayConnection.Builder describe(String id, ConnectedClient client) {
        InetSocketAddress peer = client.peerAddress();
        InetSocketAddress remote = client.remoteAddress();
        InetSocketAddress said = remote == null ? peer : remote;
        return GatewayConnection.builder()
                .id(id)
                .serverName(client.serverName())
                .clientAddress(said == null ? null : ForwardedFields.address(said.getAddress()))
                .clientPort(peer == null ? null : peer.getPort())
                .startedAt(at(client.startNanos()))
                .bytesIn(client.bytesIn())
                .bytesOut(client.bytesOut());
    }

    /** Returns when {@code nanos} was by {@link System#nanoTime()}, in milliseconds. */
    static Instant at(long nanos) {
        return ORIGIN.plusNanos(nanos - ORIGIN_NANOS).truncatedTo(ChronoUnit.MILLIS);
    }
}

package io.sigma.dataplane.flow;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.dataplane.loop.LiveConnection;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.snapshot.RuntimeRoute;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.ConnectionProtocol;
import io.sigma.model.GatewayConnection;
import org.jspecify.annotations.Nullable;

/** A connection that began as an exchange and switched protocols, as an operator sees it. Confined to the loop. */
final class LiveTunnel implements LiveConnection {

    private static final String WEBSOCKET = "websocket";

    private final Loop loop;
    private final Exchange exchange;
    private final RuntimeRoute route;
    private final Forwarding forwarding;
    private final ConnectionProtocol protocol;
    private final long revision;
    private final Runnable end;
    private final long number;

    /**
     * Lists it.
     *
     * @param upgrade the protocol that the client wanted
     * @param revision with which the exchange began
     * @param end ends the tunnel from the side of the gateway
     */
    LiveTunnel(
            Loop loop,
            Exchange exchange,
            RuntimeRoute route,
            Forwarding forwarding,
            @Nullable String upgrade,
            long revision,
            Runnable end) {
        this.loop = loop;
        this.exchange = exchange;
        this.route = route;
        this.forwarding = forwarding;
        this.protocol = WEBSOCKET.equalsIgnoreCase(upgrade) ? ConnectionProtocol.WEBSOCKET : ConnectionProtocol.TUNNEL;
        this.revision = revision;
        this.end = end;
        this.number = loop.connections().add(this);
    }

    @Override
    public GatewayConnection describe(String id) {
        NodeEndpoint node = forwarding.node();
        return GatewayConnection.builder()
                .id(id)
                .protocol(protocol)
                .proxyServerId(String.valueOf(route.router().server().id()))
                .routerId(route.router().id())
                .routeId(route.id())
                .upstreamId(forwarding.target().cluster().id())
                .node(node == null ? null : node.name())
                .serverName(exchange.authority())
                .clientAddress(ForwardedFields.address(exchange.clientAddress()))
                .clientPort(exchange.request().remotePort())
                .startedAt(LiveStreams.at(exchange.startNanos()))
                .revision(revision)
                .bytesIn(exchange.bytesIn())
                .bytesOut(exchange.bytesOut())
                .build();
    }

    @Override
    public void close() {
        end.run();
    }

    /** Lists it no longer. */
    void ended() {
        loop.connections().remove(number);
    }
}

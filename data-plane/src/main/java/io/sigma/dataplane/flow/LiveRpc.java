package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.RpcClient;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.dataplane.loop.LiveConnection;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.model.ConnectionProtocol;
import io.sigma.model.GatewayConnection;
import java.net.InetSocketAddress;

/** A connection with requests in frames, as an operator sees it. Confined to the loop. */
final class LiveRpc implements LiveConnection {

    private final Loop loop;
    private final RuntimeServer server;
    private final long revision;
    private final RpcClient client;
    private final long number;

    /**
     * Lists it.
     *
     * @param revision with which the connection began
     */
    LiveRpc(Loop loop, RuntimeServer server, long revision, RpcClient client) {
        this.loop = loop;
        this.server = server;
        this.revision = revision;
        this.client = client;
        this.number = loop.connections().add(this);
    }

    @Override
    public GatewayConnection describe(String id) {
        InetSocketAddress peer = client.peerAddress();
        InetSocketAddress remote = client.remoteAddress();
        InetSocketAddress said = remote == null ? peer : remote;
        return GatewayConnection.builder()
                .id(id)
                .protocol(protocol())
                .proxyServerId(server.id())
                .serverName(client.serverName())
                .clientAddress(said == null ? null : ForwardedFields.address(said.getAddress()))
                .clientPort(peer == null ? null : peer.getPort())
                .startedAt(LiveStreams.at(client.startNanos()))
                .revision(revision)
                .bytesIn(client.bytesIn())
                .bytesOut(client.bytesOut())
                .build();
    }

    private ConnectionProtocol protocol() {
        return switch (server.source().protocol()) {
            case DUBBO -> ConnectionProtocol.DUBBO;
            case THRIFT -> ConnectionProtocol.THRIFT;
            default -> ConnectionProtocol.BOLT;
        };
    }

    @Override
    public void close() {
        client.close();
    }

    /** Lists it no longer. */
    void ended() {
        loop.connections().remove(number);
    }
}

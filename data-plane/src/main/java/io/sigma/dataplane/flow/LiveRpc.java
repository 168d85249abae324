package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.RpcClient;
import io.sigma.dataplane.loop.LiveConnection;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.model.ConnectionProtocol;
import io.sigma.model.GatewayConnection;

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
        return LiveStreams.describe(id, client)
                .protocol(protocol())
                .proxyServerId(server.id())
                .revision(revision)
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

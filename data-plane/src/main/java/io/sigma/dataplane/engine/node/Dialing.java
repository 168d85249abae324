package io.sigma.dataplane.engine.node;

import io.netty.handler.ssl.ApplicationProtocolNames;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.PooledConnection;
import io.sigma.dataplane.upstream.proxied.ProxiedClient;
import io.sigma.model.NodeProtocol;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens connections to nodes by a {@link NodeDialer}, with settings that do not depend on the node. Thread-safe. */
final class Dialing implements Connector {

    private final NodeDialer dialer;
    /** The protocols that are offered by ALPN. Null to take those of the upstream's protocol. */
    private final @Nullable List<String> names;
    /** True if the gateway tries HTTP/2 in plaintext first. */
    private final boolean trial;
    /** The client whose addresses the PROXY header has. Null without such a header. */
    private final @Nullable ProxiedClient client;
    /** The framed protocol. Null for HTTP. */
    private final NodeEndpoint.@Nullable Version framed;

    Dialing(NodeDialer dialer, @Nullable List<String> names, boolean trial, @Nullable ProxiedClient client) {
        this(dialer, names, trial, client, null);
    }

    private Dialing(
            NodeDialer dialer,
            @Nullable List<String> names,
            boolean trial,
            @Nullable ProxiedClient client,
            NodeEndpoint.@Nullable Version framed) {
        this.framed = framed;
        this.dialer = dialer;
        this.names = names;
        this.trial = trial;
        this.client = client;
    }

    @Override
    public void connect(
            NodeEndpoint endpoint, Loop loop, Consumer<PooledConnection> onConnected, Consumer<Throwable> onFailed) {
        dialer.dial(this, endpoint, loop, onConnected, onFailed);
    }

    @Override
    public Connector onBehalfOf(ProxiedClient other) {
        return new Dialing(dialer, names, trial, other, framed);
    }

    @Override
    public Connector http1() {
        return new Dialing(dialer, List.of(ApplicationProtocolNames.HTTP_1_1), false, client);
    }

    @Override
    public Connector priorHttp2() {
        return new Dialing(dialer, List.of(), true, client);
    }

    @Override
    public Connector framed(NodeEndpoint.Version version) {
        return new Dialing(dialer, List.of(), false, client, version);
    }

    @Override
    public boolean hasRoomInAdvance() {
        return dialer.hasRoomInAdvance();
    }

    @Override
    public boolean multiplexes() {
        return framed != null && framed != NodeEndpoint.Version.THRIFT;
    }

    /** Returns what is spoken in frames; null for HTTP. */
    NodeEndpoint.@Nullable Version framed() {
        return framed;
    }

    List<String> names(NodeProtocol protocol) {
        if (names != null) {
            return names;
        }
        return switch (protocol) {
            case HTTP1 -> List.of();
            case HTTP2 -> List.of(ApplicationProtocolNames.HTTP_2);
            case AUTO -> List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);
        };
    }

    /** Returns whether HTTP/2 is tried in plaintext. */
    boolean trial() {
        return trial;
    }

    /** Returns the client that a PROXY header describes; null for none. */
    @Nullable
    ProxiedClient client() {
        return client;
    }
}

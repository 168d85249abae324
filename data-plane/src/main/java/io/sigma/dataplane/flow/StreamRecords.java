package io.sigma.dataplane.flow;

import io.sigma.dataplane.exchange.StreamEnd;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.dataplane.snapshot.PassTarget;
import io.sigma.dataplane.snapshot.RuntimeServer.StreamRouter;
import io.sigma.dataplane.telemetry.AccessRecord;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.Protocol;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Fills log records with what connections of TCP and TLS, and sessions of UDP, have that are over. */
final class StreamRecords {

    private StreamRecords() {}

    /**
     * Fills {@code log}.
     *
     * @param now by {@link System#nanoTime()}
     */
    static void fill(AccessRecord log, StreamHandler stream, StreamEnd reason, long now) {
        StreamRouter router = stream.router();
        PassTarget target = stream.target();
        NodeEndpoint node = stream.node();
        log.chosen(
                stream.server().id(),
                router == null ? null : router.id(),
                null,
                router == null ? null : router.source().proxyPassId(),
                target == null ? null : target.cluster().id(),
                node == null ? null : node.name());
        String name = stream.client().serverName();
        Protocol spoken = stream.server().source().protocol();
        log.request(
                // What a port of HTTPS passes through is no HTTP.
                spoken == Protocol.HTTPS ? "TLS" : spoken.name(), "", name == null ? "" : name, "", null, null, null);
        log.response(
                0,
                stream.attempts(),
                stream.client().bytesIn(),
                stream.client().bytesOut(),
                reason == StreamEnd.COMPLETE ? null : reason.label());
        log.stream(reason.label(), stream.revision());
        log.datagrams(stream.client().datagramsIn(), stream.client().datagramsOut());
        log.times(stream.client().startNanos(), stream.connectedNanos(), 0, now);
        InetSocketAddress peer = stream.client().peerAddress();
        InetSocketAddress remote = stream.client().remoteAddress();
        log.client(
                address(peer), peer == null ? 0 : peer.getPort(), address(remote == null ? peer : remote), null, null);
        log.identity(null, null);
    }

    private static String address(@Nullable InetSocketAddress address) {
        return address == null ? "" : ForwardedFields.address(address.getAddress());
    }
}

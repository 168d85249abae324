package io.sigma.dataplane.flow;

import io.sigma.dataplane.exchange.StreamEnd;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.dataplane.snapshot.PassTarget;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.snapshot.RuntimeServer.StreamRouter;
import io.sigma.dataplane.telemetry.AccessRecord;
import io.sigma.dataplane.upstream.NodeEndpoint;
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
        chosen(log, stream.server(), stream.router(), stream.target(), stream.node());
        String name = stream.client().serverName();
        log.request(stream.protocol(), "", name == null ? "" : name, "", null, null, null);
        log.response(
                0,
                stream.attempts(),
                stream.client().bytesIn(),
                stream.client().bytesOut(),
                reason == StreamEnd.COMPLETE ? null : reason.label());
        log.stream(reason.label(), stream.revision());
        log.datagrams(stream.client().datagramsIn(), stream.client().datagramsOut());
        log.times(stream.client().startNanos(), stream.connectedNanos(), 0, now);
        client(log, stream.client().peerAddress(), stream.client().remoteAddress());
    }

    /** Fills in what was chosen, as far as it came, where no route is. */
    static void chosen(
            AccessRecord log,
            RuntimeServer server,
            @Nullable StreamRouter router,
            @Nullable PassTarget target,
            @Nullable NodeEndpoint node) {
        log.chosen(
                server.id(),
                router == null ? null : router.id(),
                null,
                router == null ? null : router.source().proxyPassId(),
                target == null ? null : target.cluster().id(),
                node == null ? null : node.name());
    }

    /** Fills in the client. Only its addresses are known. */
    static void client(AccessRecord log, @Nullable InetSocketAddress peer, @Nullable InetSocketAddress remote) {
        log.client(
                address(peer), peer == null ? 0 : peer.getPort(), address(remote == null ? peer : remote), null, null);
        log.identity(null, null);
    }

    private static String address(@Nullable InetSocketAddress address) {
        return address == null ? "" : ForwardedFields.address(address.getAddress());
    }
}

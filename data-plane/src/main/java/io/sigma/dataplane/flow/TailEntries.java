package io.sigma.dataplane.flow;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.StreamEnd;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.dataplane.snapshot.PassTarget;
import io.sigma.dataplane.snapshot.RuntimeRoute;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.snapshot.RuntimeServer.StreamRouter;
import io.sigma.dataplane.tail.RequestTail;
import io.sigma.dataplane.tail.TailEntry;
import io.sigma.dataplane.upstream.NodeEndpoint;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Hands what is over to the tail of requests. */
final class TailEntries {

    private static final int SERVER_ERROR = 500;

    private TailEntries() {}

    /** @param now by {@link System#nanoTime()} */
    static void add(
            RequestTail tail,
            RuntimeServer server,
            @Nullable RuntimeRoute route,
            @Nullable Forwarding forwarding,
            Exchange exchange,
            long revision,
            long now) {
        int loop = exchange.loop();
        GatewayError error = exchange.error();
        int status = exchange.status();
        boolean failed = status == 0
                || status >= SERVER_ERROR
                || (error != null && error.kind().status() >= SERVER_ERROR);
        TailEntry entry = tail.ended(loop, failed, now);
        if (entry == null) {
            return;
        }
        NodeEndpoint node = forwarding == null ? null : forwarding.node();
        entry.chosen(
                server.id(),
                route == null ? null : route.router().id(),
                route == null ? null : route.id(),
                route == null ? null : route.pass().source().id(),
                forwarding == null ? null : forwarding.target().cluster().id(),
                node == null ? null : node.name());
        entry.request(
                exchange.request().protocol(),
                exchange.request().method(),
                exchange.authority(),
                exchange.request().path(),
                ForwardedFields.address(exchange.clientAddress()),
                revision);
        entry.response(
                status,
                exchange.attempts(),
                exchange.bytesIn(),
                exchange.bytesOut(),
                error == null ? null : error.kind().label());
        tail.keep(loop, exchange.startNanos(), now);
    }

    /** @param now by {@link System#nanoTime()} */
    static void add(RequestTail tail, StreamHandler stream, StreamEnd reason, long now) {
        int loop = stream.client().loop();
        boolean failed = switch (reason) {
            case COMPLETE, CLIENT_RESET, IDLE_TIMEOUT, LIFETIME, DRAINED, NO_ROUTER, HELLO_TIMEOUT, BAD_HELLO -> false;
            default -> true;
        };
        TailEntry entry = tail.ended(loop, failed, now);
        if (entry == null) {
            return;
        }
        StreamRouter router = stream.router();
        PassTarget target = stream.target();
        NodeEndpoint node = stream.node();
        entry.chosen(
                stream.server().id(),
                router == null ? null : router.id(),
                null,
                router == null ? null : router.source().proxyPassId(),
                target == null ? null : target.cluster().id(),
                node == null ? null : node.name());
        String name = stream.client().serverName();
        InetSocketAddress remote = stream.client().remoteAddress();
        entry.request(
                stream.protocol(),
                "",
                name == null ? "" : name,
                "",
                remote == null ? "" : ForwardedFields.address(remote.getAddress()),
                stream.revision());
        entry.response(
                0,
                stream.attempts(),
                stream.client().bytesIn(),
                stream.client().bytesOut(),
                reason == StreamEnd.COMPLETE ? null : reason.label());
        tail.keep(loop, stream.client().startNanos(), now);
    }
}

package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.RpcRequest;
import io.sigma.dataplane.exchange.ErrorKind;
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
        chosen(entry, stream.server(), stream.router(), stream.target(), stream.node());
        String name = stream.client().serverName();
        entry.request(
                stream.protocol(),
                "",
                name == null ? "" : name,
                "",
                address(stream.client().remoteAddress()),
                stream.revision());
        entry.response(
                0,
                stream.attempts(),
                stream.client().bytesIn(),
                stream.client().bytesOut(),
                reason == StreamEnd.COMPLETE ? null : reason.label());
        tail.keep(loop, stream.client().startNanos(), now);
    }

    /** @param now by {@link System#nanoTime()} */
    static void add(RequestTail tail, RpcHandler handler, int status, @Nullable ErrorKind error, long now) {
        RpcRequest request = handler.request();
        boolean failed = status >= SERVER_ERROR || (error != null && error.status() >= SERVER_ERROR);
        TailEntry entry = tail.ended(request.loop(), failed, now);
        if (entry == null) {
            return;
        }
        chosen(entry, handler.server(), handler.router(), handler.target(), handler.node());
        InetSocketAddress remote = request.remoteAddress();
        entry.request(
                request.protocol(),
                handler.loggedMethod(),
                "",
                handler.loggedService(),
                address(remote == null ? request.peerAddress() : remote),
                handler.revision());
        entry.response(
                status,
                handler.attempts(),
                request.bytesIn(),
                request.bytesOut(),
                error == null ? null : error.label());
        tail.keep(request.loop(), request.startNanos(), now);
    }

    /** Sets what was chosen, as far as it came, where no route is. */
    private static void chosen(
            TailEntry entry,
            RuntimeServer server,
            @Nullable StreamRouter router,
            @Nullable PassTarget target,
            @Nullable NodeEndpoint node) {
        entry.chosen(
                server.id(),
                router == null ? null : router.id(),
                null,
                router == null ? null : router.source().proxyPassId(),
                target == null ? null : target.cluster().id(),
                node == null ? null : node.name());
    }

    private static String address(@Nullable InetSocketAddress address) {
        return address == null ? "" : ForwardedFields.address(address.getAddress());
    }
}

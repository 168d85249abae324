package io.sigma.dataplane.flow;

import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.Identity;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.dataplane.snapshot.RuntimeRoute;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.telemetry.AccessRecord;
import io.sigma.dataplane.telemetry.LogTarget;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.ClientAuth;
import io.sigma.model.ServerTls;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Fills log records with what exchanges that are over have. */
final class AccessRecords {

    private AccessRecords() {}

    /**
     * Fills {@code log}.
     *
     * @param target that it is written to; JSON has no use for some of it
     * @param now by {@link System#nanoTime()}
     */
    static void fill(
            AccessRecord log,
            RuntimeServer server,
            @Nullable RuntimeRoute route,
            @Nullable Forwarding forwarding,
            Exchange exchange,
            LogTarget target,
            long now) {
        NodeEndpoint node = forwarding == null ? null : forwarding.node();
        log.chosen(
                server.id(),
                route == null ? null : route.router().id(),
                route == null ? null : route.id(),
                route == null ? null : route.pass().source().id(),
                forwarding == null ? null : forwarding.target().cluster().id(),
                node == null ? null : node.name());
        RequestHead request = exchange.request();
        log.request(
                request.protocol(),
                request.method(),
                exchange.authority(),
                request.path(),
                exchange.query(),
                target.template() == null ? null : request.fields().get("referer"),
                exchange.userAgent());
        GatewayError error = exchange.error();
        log.response(
                exchange.status(),
                exchange.attempts(),
                exchange.bytesIn(),
                exchange.bytesOut(),
                error == null ? null : error.kind().label());
        log.times(exchange.startNanos(), exchange.connectedNanos(), exchange.firstByteNanos(), now);
        client(log, server, exchange);
        log.stream(null, 0);
        Identity identity = exchange.get(Attributes.IDENTITY);
        log.identity(identity == null ? null : identity.consumer(), exchange.get(Attributes.REQUEST_ID));
    }

    private static void client(AccessRecord log, RuntimeServer server, Exchange exchange) {
        InetAddress remote = exchange.request().remoteAddress();
        InetAddress client = exchange.clientAddress();
        String address = ForwardedFields.address(remote);
        log.client(
                address,
                exchange.request().remotePort(),
                client.equals(remote) ? address : ForwardedFields.address(client),
                exchange.clientSubject(),
                verified(server, exchange));
    }

    /**
     * Returns the outcome of asking the client for a certificate; a bad one ended the handshake, so it has no record.
     */
    private static @Nullable String verified(RuntimeServer server, Exchange exchange) {
        ServerTls tls = server.source().tls();
        if (exchange.clientSubject() != null) {
            return "SUCCESS";
        }
        return tls == null || tls.clientAuth() == ClientAuth.NONE ? null : "NONE";
    }
}

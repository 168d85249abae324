package io.sigma.dataplane;

import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.Identity;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.filter.ForwardedFields;
import io.sigma.dataplane.snapshot.RuntimePass;
import io.sigma.dataplane.snapshot.RuntimeRoute;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.telemetry.AccessRecord;
import io.sigma.dataplane.telemetry.LogTarget;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.ClientAuth;
import io.sigma.model.ServerTls;
import org.jspecify.annotations.Nullable;

/** Makes log records of exchanges that are over. Pure but for the clock. */
final class AccessRecords {

    private AccessRecords() {}

    static AccessRecord of(
            RuntimeServer server,
            @Nullable RuntimeRoute route,
            @Nullable Forwarding forwarding,
            Exchange exchange,
            long totalNanos,
            LogTarget target) {
        Identity identity = exchange.get(Attributes.IDENTITY);
        RequestHead request = exchange.request();
        RuntimePass pass = route == null ? null : route.pass();
        GatewayError error = exchange.error();
        NodeEndpoint node = forwarding == null ? null : forwarding.node();
        return new AccessRecord(
                System.currentTimeMillis() - totalNanos / 1_000_000,
                server.id(),
                route == null ? null : route.router().id(),
                route == null ? null : route.id(),
                pass == null ? null : pass.source().id(),
                forwarding == null ? null : forwarding.target().cluster().id(),
                node == null ? null : node.name(),
                request.protocol(),
                request.method(),
                request.authority(),
                request.path(),
                exchange.status(),
                exchange.attempts(),
                exchange.bytesIn(),
                exchange.bytesOut(),
                totalNanos,
                since(exchange, exchange.connectedNanos()),
                since(exchange, exchange.firstByteNanos()),
                ForwardedFields.address(request.remoteAddress()),
                request.remotePort(),
                ForwardedFields.address(exchange.clientAddress()),
                exchange.clientSubject(),
                verified(server, exchange),
                identity == null ? null : identity.consumer(),
                exchange.get(Attributes.REQUEST_ID),
                exchange.query(),
                request.fields().get("referer"),
                exchange.userAgent(),
                error == null ? null : error.kind().label(),
                target);
    }

    /** Returns what became of asking the client for a certificate; a bad one ended the handshake, so it has no record. */
    private static @Nullable String verified(RuntimeServer server, Exchange exchange) {
        ServerTls tls = server.source().tls();
        if (exchange.clientSubject() != null) {
            return "SUCCESS";
        }
        return tls == null || tls.clientAuth() == ClientAuth.NONE ? null : "NONE";
    }

    private static long since(Exchange exchange, long nanos) {
        return nanos == 0 ? 0 : nanos - exchange.startNanos();
    }
}

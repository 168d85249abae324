package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.RpcRequest;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.dataplane.snapshot.PassTarget;
import io.sigma.dataplane.snapshot.RuntimeServer.StreamRouter;
import io.sigma.dataplane.telemetry.AccessRecord;
import io.sigma.dataplane.upstream.NodeEndpoint;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Fills log records with what requests in frames have that are over. */
final class RpcRecords {

    private RpcRecords() {}

    /** Returns what is logged as path: the service that a header pair names, else the service or class. */
    static String service(RpcRequest request) {
        String target = request.header("sofa_head_target_service");
        String named = target == null ? request.header("service") : target;
        return named == null ? request.service() : named;
    }

    /** Returns what is logged as method; empty where the request does not say. */
    static String method(RpcRequest request) {
        String named = request.method().isEmpty() ? request.header("sofa_head_method_name") : null;
        return named == null ? request.method() : named;
    }

    /**
     * Fills {@code log}.
     *
     * @param now by {@link System#nanoTime()}
     */
    static void fill(AccessRecord log, RpcHandler handler, int status, @Nullable ErrorKind error, long now) {
        StreamRouter router = handler.router();
        PassTarget target = handler.target();
        NodeEndpoint node = handler.node();
        RpcRequest request = handler.request();
        log.chosen(
                handler.server().id(),
                router == null ? null : router.id(),
                null,
                router == null ? null : router.source().proxyPassId(),
                target == null ? null : target.cluster().id(),
                node == null ? null : node.name());
        log.request(request.protocol(), handler.loggedMethod(), "", handler.loggedService(), null, null, null);
        log.response(
                status,
                handler.attempts(),
                request.bytesIn(),
                request.bytesOut(),
                error == null ? null : error.label());
        log.stream(null, 0);
        log.times(request.startNanos(), handler.sentNanos(), handler.answeredNanos(), now);
        InetSocketAddress peer = request.peerAddress();
        InetSocketAddress remote = request.remoteAddress();
        log.client(
                address(peer), peer == null ? 0 : peer.getPort(), address(remote == null ? peer : remote), null, null);
        log.identity(null, null);
        log.rpc(request.answerStatus());
    }

    private static String address(@Nullable InetSocketAddress address) {
        return address == null ? "" : ForwardedFields.address(address.getAddress());
    }
}

package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.RpcRequest;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.telemetry.AccessRecord;
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
        RpcRequest request = handler.request();
        StreamRecords.chosen(log, handler.server(), handler.router(), handler.target(), handler.node());
        log.request(request.protocol(), handler.loggedMethod(), "", handler.loggedService(), null, null, null);
        log.response(
                status,
                handler.attempts(),
                request.bytesIn(),
                request.bytesOut(),
                error == null ? null : error.label());
        log.stream(null, 0);
        log.times(request.startNanos(), handler.sentNanos(), handler.answeredNanos(), now);
        StreamRecords.client(log, request.peerAddress(), request.remoteAddress());
        log.rpc(request.answerStatus());
    }
}

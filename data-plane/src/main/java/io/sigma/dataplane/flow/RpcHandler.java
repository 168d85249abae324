package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.RpcEvents;
import io.sigma.dataplane.engine.RpcRequest;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.snapshot.PassTarget;
import io.sigma.dataplane.snapshot.RuntimePass;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.snapshot.RuntimeServer.StreamRouter;
import io.sigma.dataplane.telemetry.LogTarget;
import io.sigma.dataplane.telemetry.RouteMeters;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.Outcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All control flow of a request in a frame: a router takes it, a node is chosen, and when it is over it is accounted
 * for. It keeps the snapshot that it began with. Confined to the event loop of the client's connection.
 */
final class RpcHandler extends Deadlines.Entry implements RpcEvents {

    /** The status of a request that is not answered, as logs and metrics have it. */
    private static final int ACCEPTED = 202;

    private final ExchangeServices services;
    private final RuntimeServer server;
    private final long revision;
    private final RpcRequest request;
    private final Loop loop;
    private @Nullable StreamRouter router;
    private @Nullable PassTarget target;
    private @Nullable NodeEndpoint node;
    private @Nullable Set<NodeEndpoint> tried;
    private int attempts;
    private boolean assigned;
    private boolean over;
    /** True if the running timer is that of the node, not that of the client or of the whole request. */
    private boolean nodesTime;

    private long assignedNanos;
    private long sentNanos;
    private long answeredNanos;
    private String loggedService = "";
    private String loggedMethod = "";

    RpcHandler(ExchangeServices services, RuntimeServer server, long revision, RpcRequest request) {
        this.services = services;
        this.server = server;
        this.revision = revision;
        this.request = request;
        this.loop = services.loops().get(request.loop());
        server.meters().begun(request.loop());
    }

    @Override
    public void begin() {
        if (services.accessLog().takes(LogTarget.DEFAULT) || services.tail().mayKeep(request.loop(), loop.nanos())) {
            loggedService = RpcRecords.service(request);
            loggedMethod = RpcRecords.method(request);
        }
        StreamRouter found;
        try {
            found = server.rpc().find(request, address());
        } catch (InvalidRequest e) {
            fail(e.kind());
            return;
        }
        router = found;
        if (found == null) {
            fail(ErrorKind.NO_ROUTE);
            return;
        }
        setTime(found.pass());
        PassTarget chosen = found.pass().split().choose();
        target = chosen;
        ErrorKind refusal = request.isRefused()
                ? ErrorKind.HOLDS_TOO_MUCH
                : chosen.cluster().admit(request.loop(), loop.nanos());
        if (refusal == null) {
            attempt(chosen, found, null);
        } else {
            chosen.meters().refused(request.loop(), refusal);
            fail(refusal);
        }
    }

    /** The time of the frame counts, within that of the proxy pass. */
    private void setTime(RuntimePass.ToUpstream pass) {
        int said = request.timeoutMillis();
        nodesTime = said == 0 && pass.responseMillis() < pass.totalMillis();
        long millis = said == 0 ? pass.responseMillis() : said;
        loop.exchangeDeadlines().set(this, Math.min(millis, pass.totalMillis()));
    }

    private @Nullable InetAddress address() {
        InetSocketAddress remote = request.remoteAddress();
        return remote == null ? null : remote.getAddress();
    }

    private void attempt(PassTarget chosen, StreamRouter found, @Nullable GatewayError last) {
        NodeEndpoint next = attempts < found.pass().retry().attemptsMax()
                ? chosen.cluster().pick(request.loop(), request.remoteAddress(), null, tried, loop.nanos())
                : null;
        if (next == null) {
            fail(last == null ? ErrorKind.NO_NODE : last.kind());
            return;
        }
        if (attempts > 0) {
            chosen.meters().retried(request.loop());
        }
        attempts++;
        node = next;
        assigned = true;
        assignedNanos = loop.nanos();
        chosen.cluster().begun(request.loop(), next);
        request.send(next, found.pass().connectMillis());
    }

    @Override
    public void onInvalid(ErrorKind kind) {
        end(kind.status(), kind);
    }

    @Override
    public void onUnsent(GatewayError error) {
        PassTarget chosen = Objects.requireNonNull(target);
        chosen.meters().count(request.loop(), error.kind());
        unassign(Outcome.of(error.kind()), 0);
        if (error.kind() == ErrorKind.QUEUE_FULL) {
            fail(error.kind());
            return;
        }
        if (tried == null) {
            tried = new HashSet<>();
        }
        tried.add(Objects.requireNonNull(node));
        attempt(chosen, Objects.requireNonNull(router), error);
    }

    @Override
    public void onSent() {
        sentNanos = loop.nanos();
        if (request.isOneWay()) {
            Objects.requireNonNull(target).meters().count(request.loop(), null);
            unassign(Outcome.SUCCESS, ACCEPTED);
            request.finish();
            end(ACCEPTED, null);
        }
    }

    @Override
    public void onBroken() {
        if (!over) {
            Objects.requireNonNull(target).meters().count(request.loop(), ErrorKind.UPSTREAM_RESET);
            unassign(Outcome.RESET, 0);
            fail(ErrorKind.UPSTREAM_RESET);
        }
    }

    @Override
    public void onAnswer(int status) {
        answeredNanos = loop.nanos();
        Objects.requireNonNull(target).meters().count(request.loop(), null);
        unassign(Outcome.of(status), status);
        end(status, null);
    }

    @Override
    public void onEnded() {
        if (!over) {
            unassign(Outcome.CANCELLED, 0);
            fail(ErrorKind.CONNECTION_ENDED);
        }
    }

    @Override
    public void onAbandoned() {
        unassign(Outcome.CANCELLED, 0);
        end(ErrorKind.CLIENT_ABORTED.status(), ErrorKind.CLIENT_ABORTED);
    }

    @Override
    protected void onDeadline() {
        if (!over) {
            ErrorKind late = sentNanos != 0 && nodesTime ? ErrorKind.RESPONSE_TIMEOUT : ErrorKind.TOTAL_TIMEOUT;
            if (target != null) {
                target.meters().count(request.loop(), late);
            }
            unassign(Outcome.of(late), 0);
            fail(late);
        }
    }

    @Override
    protected void onDeadlineFailed() {
        request.fail(ErrorKind.INTERNAL);
    }

    /** Tells the upstream, once for each assignment, how it ended. */
    private void unassign(Outcome outcome, int status) {
        if (assigned) {
            assigned = false;
            PassTarget chosen = Objects.requireNonNull(target);
            long now = loop.nanos();
            long taken = now - assignedNanos;
            chosen.cluster().ended(request.loop(), Objects.requireNonNull(node), outcome, taken, assignedNanos, now);
            chosen.meters().ended(request.loop(), status, taken);
        }
    }

    private void fail(ErrorKind kind) {
        request.fail(kind);
        end(kind.status(), kind);
    }

    private void end(int status, @Nullable ErrorKind error) {
        if (over) {
            return;
        }
        over = true;
        loop.exchangeDeadlines().remove(this);
        int index = request.loop();
        long now = loop.nanos();
        long taken = now - request.startNanos();
        if (target != null) {
            target.meters().bytes(index, request.bytesIn(), request.bytesOut());
        }
        server.meters().ended(index, taken, now);
        RouteMeters counted = router == null ? server.unrouted() : Objects.requireNonNull(router.requests());
        counted.count(index, status, taken, request.bytesIn(), request.bytesOut());
        TailEntries.add(services.tail(), this, status, error, now);
        if (services.accessLog().takes(LogTarget.DEFAULT)) {
            RpcRecords.fill(services.accessLog().record(index), this, status, error, now);
            services.accessLog().write(index, LogTarget.DEFAULT);
        }
    }

    RuntimeServer server() {
        return server;
    }

    RpcRequest request() {
        return request;
    }

    @Nullable
    StreamRouter router() {
        return router;
    }

    @Nullable
    PassTarget target() {
        return target;
    }

    @Nullable
    NodeEndpoint node() {
        return node;
    }

    long revision() {
        return revision;
    }

    int attempts() {
        return attempts;
    }

    long sentNanos() {
        return sentNanos;
    }

    long answeredNanos() {
        return answeredNanos;
    }

    /** Returns what is logged as path; the bare service where nothing was to be kept when the request began. */
    String loggedService() {
        return loggedService.isEmpty() ? request.service() : loggedService;
    }

    String loggedMethod() {
        return loggedMethod.isEmpty() ? request.method() : loggedMethod;
    }
}

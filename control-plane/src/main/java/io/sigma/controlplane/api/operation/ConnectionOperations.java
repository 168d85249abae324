package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.access.Scope;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.api.request.Parameters;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.store.AuditEntry;
import io.sigma.controlplane.store.AuditLog;
import io.sigma.controlplane.tail.Tenures;
import io.sigma.model.ConnectionProtocol;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayConnection;
import io.sigma.model.GatewayConnectionList;
import io.sigma.model.GatewayState;
import io.sigma.snapshot.ConnectionQuestion;
import io.sigma.snapshot.RouteAnswer;
import io.sigma.snapshot.RouteQuestion;
import io.sigma.value.AddressRange;
import io.sigma.value.InvalidValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The operations on open connections of one gateway: list, and close. */
final class ConnectionOperations {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int LISTED_MAX = 100;

    private final Fleet fleet;
    private final AuditLog audit;
    private final Tenures tenures;

    /** @param tenures of routes and routers */
    ConnectionOperations(Fleet fleet, AuditLog audit, Tenures tenures) {
        this.fleet = fleet;
        this.audit = audit;
        this.tenures = tenures;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("listGatewayConnections", this::list);
        handlers.put("closeGatewayConnection", this::close);
    }

    private Answer list(ApiCall call) {
        Parameters given = call.parameters();
        String protocol = given.get("protocol");
        ConnectionView view = ConnectionView.of(call.who(), tenures);
        if (!view.addresses() && given.get("clientAddress") != null) {
            throw new FailureException(new Failure.Forbidden("clientAddress: viewers see no addresses of clients."));
        }
        int limit = Math.min(given.limit(), LISTED_MAX);
        GatewayConnectionList all = ask(
                gateway(call.id()),
                new ConnectionQuestion(
                        null,
                        given.get("proxyServerId"),
                        given.get("upstreamId"),
                        given.get("node"),
                        addresses(given.get("clientAddress")),
                        protocol == null ? null : ConnectionProtocol.valueOf(protocol),
                        limit));
        return Answer.ok(view.of(all, limit));
    }

    private static @Nullable String addresses(@Nullable String text) {
        try {
            return text == null ? null : AddressRange.parse(text).text();
        } catch (InvalidValue e) {
            throw new FailureException(new Failure.BadRequest("clientAddress: " + e.getMessage()));
        }
    }

    private Answer close(ApiCall call) {
        if (!call.who().scope().equals(Scope.ALL)) {
            throw new FailureException(new Failure.Forbidden(
                    "Connections are closed by tokens that are not restricted to kinds or labels."));
        }
        String id = call.parameters().required("connectionId");
        Gateway gateway = gateway(call.id());
        List<GatewayConnection> closed =
                ask(gateway, ConnectionQuestion.close(id)).items();
        if (closed.isEmpty()) {
            throw new FailureException(
                    new Failure.NotFound("Gateway \"" + gateway.id() + "\" has no open connection \"" + id + "\"."));
        }
        audit.append(AuditEntry.done(
                call.write(), 204, null, List.of("GATEWAY/" + gateway.id()), detail(closed.getFirst())));
        return Answer.empty(204);
    }

    private static String detail(GatewayConnection closed) {
        return closed.protocol() + " connection " + closed.id() + " of " + closed.clientAddress() + ", proxy server "
                + closed.proxyServerId() + ", node " + closed.node();
    }

    private Gateway gateway(String id) {
        Gateway gateway = fleet.gateway(id)
                .orElseThrow(() -> new FailureException(new Failure.NotFound("There is no gateway \"" + id + "\".")));
        if (gateway.state() == GatewayState.LOST) {
            throw unavailable(gateway, "is not connected");
        }
        return gateway;
    }

    private GatewayConnectionList ask(Gateway gateway, ConnectionQuestion connections) {
        RouteQuestion question = RouteQuestion.of(UUID.randomUUID().toString(), gateway.id(), connections);
        RouteAnswer answer;
        try {
            answer = fleet.ask(question, PATIENCE).await();
        } catch (FailureException e) {
            throw e;
        } catch (Exception e) {
            boolean silent = e instanceof RuntimeException || e instanceof TimeoutException;
            throw unavailable(gateway, silent ? "does not answer" : String.valueOf(e.getMessage()));
        }
        GatewayConnectionList found = answer.connections();
        if (found == null) {
            throw unavailable(gateway, "failed: " + answer.detail());
        }
        return found;
    }

    private static FailureException unavailable(Gateway gateway, String what) {
        return new FailureException(new Failure.Unavailable("Gateway \"" + gateway.id() + "\" " + what + "."));
    }
}

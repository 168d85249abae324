package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.access.RevokedGateways;
import io.sigma.controlplane.access.WaivedGateways;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.Cursors;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.store.database.Page;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayList;
import io.sigma.model.GatewayRevocation;
import io.sigma.model.GatewayRevocationList;
import java.util.List;
import java.util.Map;

/** The operations on gateways: list, show, shut out, let in again, and go on without. */
final class GatewayOperations {

    private final Fleet fleet;
    private final RevokedGateways revoked;
    private final WaivedGateways waived;

    GatewayOperations(Fleet fleet, RevokedGateways revoked, WaivedGateways waived) {
        this.waived = waived;
        this.fleet = fleet;
        this.revoked = revoked;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("listGateways", this::list);
        handlers.put("getGateway", this::get);
        handlers.put("listGatewayRevocations", this::listRevocations);
        handlers.put("revokeGateway", this::revoke);
        handlers.put("readmitGateway", this::readmit);
        handlers.put("waiveGateway", this::waive);
        handlers.put("endGatewayWaiver", this::endWaiver);
    }

    private Answer list(ApiCall call) {
        String after = Cursors.id(call.parameters().get("cursor"));
        int limit = call.parameters().limit();
        List<Gateway> rest = fleet.gateways().stream()
                .filter(gateway -> gateway.id().compareTo(after) > 0)
                .limit(limit + 1L)
                .toList();
        boolean more = rest.size() > limit;
        List<Gateway> page = more ? rest.subList(0, limit) : rest;
        return Answer.ok(new GatewayList(page, more ? Cursors.of(page.getLast().id()) : null));
    }

    private Answer get(ApiCall call) {
        return Answer.ok(fleet.gateway(call.id())
                .orElseThrow(() ->
                        new FailureException(new Failure.NotFound("There is no gateway \"" + call.id() + "\"."))));
    }

    private Answer listRevocations(ApiCall call) {
        Page<String, GatewayRevocation> page = revoked.page(
                Cursors.id(call.parameters().get("cursor")), call.parameters().limit());
        return Answer.ok(new GatewayRevocationList(page.items(), Cursors.of(page.last())));
    }

    private Answer revoke(ApiCall call) {
        if (fleet.clusterPort().isEmpty()) {
            throw new FailureException(
                    new Failure.BadRequest(
                            "The gateway of this installation is in the process of the"
                                    + " control plane and has no certificate (expected: a gateway that connects to the cluster port)."));
        }
        return Answer.ok(revoked.revoke(call.id(), call.parameters().get("reason"), call.write()));
    }

    private Answer waive(ApiCall call) {
        return Answer.ok(waived.waive(call.id(), call.parameters().get("reason"), call.write()));
    }

    private Answer endWaiver(ApiCall call) {
        waived.end(call.id(), call.write());
        return Answer.empty(204);
    }

    private Answer readmit(ApiCall call) {
        revoked.readmit(call.id(), call.write());
        return Answer.empty(204);
    }
}

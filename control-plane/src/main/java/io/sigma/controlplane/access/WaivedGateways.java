package io.sigma.controlplane.access;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.fleet.RefusedRevision;
import io.sigma.controlplane.store.AuditEntry;
import io.sigma.controlplane.store.AuditLog;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.DatabaseTimes;
import io.sigma.model.GatewayWaiver;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gateways that an operator waived, because they refuse for a reason of their own: writes go on without them. A
 * waiver ends when its gateway serves the newest revision. Thread-safe; methods wait, on a virtual thread.
 */
public final class WaivedGateways {

    private static final String WAIVE =
            "insert into gateway_waivers (gateway_id, waived_by, reason, revision) values ($1, $2, $3, $4)"
                    + " on conflict (gateway_id) do update set waived_at = now(), waived_by = excluded.waived_by,"
                    + " reason = excluded.reason, revision = excluded.revision"
                    + " returning gateway_id, waived_at, waived_by, reason, revision";

    private static final String END = "delete from gateway_waivers where gateway_id = $1 returning 1";

    private final Database database;
    private final AuditLog audit;
    private final Fleet fleet;

    public WaivedGateways(Database database, AuditLog audit, Fleet fleet) {
        this.database = database;
        this.audit = audit;
        this.fleet = fleet;
    }

    /**
     * Lets writes go on whatever the gateway refuses.
     *
     * @throws FailureException with {@link Failure.NotFound} when there is no such gateway, with
     *     {@link Failure.NothingToWaive} when it does not refuse the newest revision
     */
    public GatewayWaiver waive(String id, @Nullable String reason, WriteRequest request) {
        if (fleet.gateway(id).isEmpty()) {
            throw new FailureException(new Failure.NotFound("There is no gateway \"" + id + "\"."));
        }
        RefusedRevision refused = fleet.refused().orElse(null);
        if (refused == null || !refused.refusals().containsKey(id)) {
            throw new FailureException(
                    new Failure.NothingToWaive(
                            "The gateway \"" + id
                                    + "\" does not refuse the newest revision, so there is nothing to waive (expected: a gateway in state REFUSED)."));
        }
        return database.transaction(connection -> {
            Row row = database.query(connection, WAIVE, id, request.author(), reason, refused.revision())
                    .iterator()
                    .next();
            tell(connection);
            audit.append(connection, AuditEntry.done(request, 200, null, entities(id), reason));
            return GatewayWaiver.builder()
                    .gatewayId(row.getString("gateway_id"))
                    .waivedAt(DatabaseTimes.at(row, "waived_at"))
                    .waivedBy(row.getString("waived_by"))
                    .reason(row.getString("reason"))
                    .revision(row.getLong("revision"))
                    .build();
        });
    }

    /**
     * Lets what the gateway refuses count again.
     *
     * @throws FailureException with {@link Failure.NotFound} when it counts
     */
    public void end(String id, WriteRequest request) {
        database.transaction(connection -> {
            if (database.query(connection, END, id).size() == 0) {
                throw new FailureException(new Failure.NotFound("The gateway \"" + id + "\" is not waived."));
            }
            tell(connection);
            audit.append(connection, AuditEntry.done(request, 204, null, entities(id)));
            return id;
        });
    }

    /** Wakes every control plane, this one too: no control plane has an empty name. */
    private void tell(SqlConnection connection) {
        database.query(connection, "select pg_notify('" + Fleet.GATEWAYS_CHANNEL + "', '')");
    }

    private static List<String> entities(String id) {
        return List.of("GATEWAY/" + id);
    }
}

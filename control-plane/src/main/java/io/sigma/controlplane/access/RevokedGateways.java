package io.sigma.controlplane.access;

import io.sigma.controlplane.cluster.AcceptedCertificates;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.AuditEntry;
import io.sigma.controlplane.store.AuditLog;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.DatabaseTimes;
import io.sigma.controlplane.store.database.Page;
import io.sigma.model.GatewayRevocation;
import io.sigma.value.Mismatch;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The gateways that are shut out. Thread-safe; methods wait, on a virtual thread. */
public final class RevokedGateways {

    private static final String COLUMNS =
            "select gateway_id, revoked_at, revoked_by, reason from gateway_revocations where lifted_at is null";

    private static final String COUNT = "select count(*) filter (where lifted_at is null) as revoked,"
            + " count(*) as remembered from gateway_revocations where gateway_id <> $1";

    private static final String REVOKE =
            "insert into gateway_revocations (gateway_id, revoked_by, reason) values ($1, $2, $3)"
                    + " on conflict (gateway_id) do update set revoked_at = now(), revoked_by = excluded.revoked_by,"
                    + " reason = excluded.reason, lifted_at = null";

    private static final String LIFT =
            "update gateway_revocations set lifted_at = now() where gateway_id = $1 and lifted_at is null returning 1";

    private static final String REVOKE_CERTIFICATES =
            "update gateway_certificates set revoked_at = now() where gateway_id = $1 and revoked_at is null";

    private final Database database;
    private final AuditLog audit;

    public RevokedGateways(Database database, AuditLog audit) {
        this.database = database;
        this.audit = audit;
    }

    /** Returns a page, ordered by id, of the gateways after {@code after}. */
    public Page<String, GatewayRevocation> page(String after, int limit) {
        List<GatewayRevocation> items = new ArrayList<>();
        database.query(
                        COLUMNS + " and gateway_id > $1::text collate \"C\" order by gateway_id limit $2",
                        after,
                        limit + 1)
                .forEach(row -> items.add(revocation(row)));
        boolean more = items.size() > limit;
        List<GatewayRevocation> page = more ? items.subList(0, limit) : items;
        return new Page<>(page, more ? page.getLast().gatewayId() : null);
    }

    /**
     * Shuts a gateway out: no certificate of it is good any more, and it gets no other. One that is shut out already
     * stays so.
     *
     * @throws FailureException with {@link Failure.Invalid} when too many are
     */
    public GatewayRevocation revoke(String id, @Nullable String reason, WriteRequest request) {
        return database.transaction(connection -> {
            Row counted = database.query(connection, COUNT, id).iterator().next();
            if (counted.getLong("revoked") >= AcceptedCertificates.REVOKED_MAX) {
                throw FailureException.invalid(
                        "",
                        Mismatch.of(
                                AcceptedCertificates.REVOKED_MAX + " gateways are revoked",
                                "at most this number: readmit a gateway first"));
            }
            if (counted.getLong("remembered") >= AcceptedCertificates.REMEMBERED_MAX) {
                throw FailureException.invalid(
                        "",
                        Mismatch.of(
                                AcceptedCertificates.REMEMBERED_MAX + " gateways are, or were, revoked",
                                "a gateway that was revoked before"));
            }
            database.query(connection, REVOKE, id, request.author(), reason);
            database.query(connection, REVOKE_CERTIFICATES, id);
            database.query(connection, "delete from gateways where id = $1", id);
            GatewayRevocation revocation = revocation(database.query(connection, COLUMNS + " and gateway_id = $1", id)
                    .iterator()
                    .next());
            tell(connection, id);
            audit.append(connection, AuditEntry.done(request, 200, null, entities(id), reason));
            return revocation;
        });
    }

    /**
     * Lets a gateway enroll again; the certificates that it had stay bad.
     *
     * @throws FailureException with {@link Failure.NotFound} when it is not shut out
     */
    public void readmit(String id, WriteRequest request) {
        database.transaction(connection -> {
            if (database.query(connection, LIFT, id).size() == 0) {
                throw new FailureException(new Failure.NotFound("The gateway \"" + id + "\" is not revoked."));
            }
            // Whatever was on its way while it was shut out.
            database.query(connection, REVOKE_CERTIFICATES, id);
            tell(connection, id);
            audit.append(connection, AuditEntry.done(request, 204, null, entities(id)));
            return id;
        });
    }

    private void tell(SqlConnection connection, String id) {
        database.query(connection, "select pg_notify('" + AcceptedCertificates.CHANNEL + "', $1)", id);
    }

    private static List<String> entities(String id) {
        return List.of("GATEWAY/" + id);
    }

    private static GatewayRevocation revocation(Row row) {
        return GatewayRevocation.builder()
                .gatewayId(row.getString("gateway_id"))
                .revokedAt(DatabaseTimes.at(row, "revoked_at"))
                .revokedBy(row.getString("revoked_by"))
                .reason(row.getString("reason"))
                .build();
    }
}

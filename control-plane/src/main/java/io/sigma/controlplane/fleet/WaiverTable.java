package io.sigma.controlplane.fleet;

import io.sigma.controlplane.store.database.DatabaseTimes;
import io.sigma.model.GatewayWaiver;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.Map;

/** The gateways that an operator waived: what they refuse holds up nobody's writes. Thread-safe. */
final class WaiverTable {

    private static final String SELECT =
            "select gateway_id, waived_at, waived_by, reason, revision from gateway_waivers limit $1";
    private static final String DELETE = "delete from gateway_waivers where gateway_id = $1";

    private final Pool pool;

    WaiverTable(Pool pool) {
        this.pool = pool;
    }

    /** Returns them by the ids of their gateways. */
    Future<Map<String, GatewayWaiver>> read() {
        return pool.preparedQuery(SELECT)
                .execute(Tuple.of(GatewayRegistry.GATEWAYS_MAX))
                .map(rows -> {
                    Map<String, GatewayWaiver> waivers = new HashMap<>();
                    for (Row row : rows) {
                        waivers.put(
                                row.getString("gateway_id"),
                                GatewayWaiver.builder()
                                        .gatewayId(row.getString("gateway_id"))
                                        .waivedAt(DatabaseTimes.at(row, "waived_at"))
                                        .waivedBy(row.getString("waived_by"))
                                        .reason(row.getString("reason"))
                                        .revision(row.getLong("revision"))
                                        .build());
                    }
                    return waivers;
                });
    }

    /** Ends what was said of a gateway, which serves the newest revision again. */
    Future<Void> end(String gatewayId) {
        return pool.preparedQuery(DELETE).execute(Tuple.of(gatewayId)).mapEmpty();
    }
}

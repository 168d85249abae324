package io.sigma.controlplane.fleet;

import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.Set;

/** The gateways that an operator waived: what they refuse holds up nobody's writes. Thread-safe. */
final class WaiverTable {

    private static final String SELECT = "select gateway_id from gateway_waivers limit $1";
    private static final String DELETE = "delete from gateway_waivers where gateway_id = $1";

    private final Pool pool;

    WaiverTable(Pool pool) {
        this.pool = pool;
    }

    /** Returns the ids. */
    Future<Set<String>> read() {
        return pool.preparedQuery(SELECT)
                .execute(Tuple.of(GatewayRegistry.GATEWAYS_MAX))
                .map(rows -> {
                    Set<String> ids = new HashSet<>();
                    for (Row row : rows) {
                        ids.add(row.getString("gateway_id"));
                    }
                    return ids;
                });
    }

    /** Ends what was said of a gateway, which serves the newest revision again. */
    Future<Void> end(String gatewayId) {
        return pool.preparedQuery(DELETE).execute(Tuple.of(gatewayId)).mapEmpty();
    }
}

package io.sigma.controlplane.store.database;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;

/**
 * Ends commits that wait for a synchronous standby for too long. PostgreSQL has no timeout for this wait, and
 * connections for reading, which also write what is no configuration, would run out. Such a commit is done at the
 * primary: PostgreSQL says so with a warning. Writes of the configuration go on waiting, so that no later one builds on
 * what only the primary has. Stateless.
 */
final class StandbyWaits {

    /** The application_name of connections whose waits are ended. */
    static final String READS = "sigma-control-plane";

    /** The application_name of connections for writes of the configuration. */
    static final String WRITES = READS + "-writes";

    private static final String END = "select pg_cancel_backend(pid) from pg_stat_activity where usename = current_user"
            + " and datname = current_database() and application_name = '" + READS
            + "' and wait_event = 'SyncRep' and query_start < now() - interval '%d milliseconds'";

    private StandbyWaits() {}

    /** Ends the waits that are longer than {@code millis}. */
    static Future<Void> end(SqlClient client, long millis) {
        return client.query(END.formatted(millis)).execute().mapEmpty();
    }
}

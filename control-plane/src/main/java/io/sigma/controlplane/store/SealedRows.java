package io.sigma.controlplane.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.history.Table;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.snapshot.ResourceType;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows that hold encrypted secrets: of resources, and of the revisions that are kept. Waits, on a virtual thread.
 * Others may write meanwhile: a row that was changed is looked at again, and what they write is encrypted with the
 * present key.
 */
public final class SealedRows {

    private static final int ROWS_A_QUERY = 500;
    private static final int TRIES_MAX = 100;

    /** The pattern of a row whose text contains an encrypted secret. */
    private static final String SEALED = "'%" + Secrets.SEALED + "%'";

    private static final String CHANGES = "select revision, seq, kind, id, before::text as before, after::text as after"
            + " from revision_changes where (revision, seq) > ($1, $2)"
            + " and (before::text like " + SEALED + " or after::text like " + SEALED + ")"
            + " order by revision, seq limit $3";

    private static final String RENEW_CHANGE =
            "update revision_changes set before = $3::text::jsonb, after = $4::text::jsonb where revision = $1 and seq = $2";

    private final Database database;
    private final Secrets secrets;

    SealedRows(Database database, Secrets secrets) {
        this.database = database;
        this.secrets = secrets;
    }

    /**
     * Encrypts with the present key what was encrypted with the previous one. What is done stays done when it fails
     * half-way, and it can be run again.
     *
     * @return rows that were changed
     * @throws IllegalStateException when a row was encrypted with a key that is not known
     */
    public long renew() {
        long renewed = renewChanges();
        for (ResourceType<?> type : ResourceType.ALL) {
            if (secrets.has(type.kind())) {
                renewed += renewResources(type.kind());
            }
        }
        return renewed;
    }

    private long renewResources(Kind kind) {
        Table table = Table.of(kind);
        long renewed = 0;
        String after = "";
        RowSet<Row> rows;
        do {
            rows = database.query(table.selectContaining(SEALED), after, ROWS_A_QUERY);
            for (Row row : rows) {
                after = row.getString("id");
                renewed += renewResource(kind, table, after, row.getString("spec")) ? 1 : 0;
            }
        } while (rows.size() == ROWS_A_QUERY);
        return renewed;
    }

    private boolean renewResource(Kind kind, Table table, String id, String first) {
        String spec = first;
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            String next = renewed(kind, id, spec);
            if (next == null) {
                return false;
            }
            if (database.query(table.replaceSpec(), id, spec, next).rowCount() > 0) {
                return true;
            }
            RowSet<Row> again = database.query(table.selectByIds(), (Object) new String[] {id});
            if (again.size() == 0) {
                return false;
            }
            spec = again.iterator().next().getString("spec");
        }
        throw new IllegalStateException(kind + " \"" + id + "\" changed in each attempt to encrypt it again");
    }

    /** The changes of a revision are never written again. */
    private long renewChanges() {
        long renewed = 0;
        long revision = 0;
        int seq = -1;
        RowSet<Row> rows;
        do {
            rows = database.query(CHANGES, revision, seq, ROWS_A_QUERY);
            for (Row row : rows) {
                revision = row.getLong("revision");
                seq = row.getInteger("seq");
                Kind kind = Kind.valueOf(row.getString("kind"));
                String before = row.getString("before");
                String after = row.getString("after");
                String newBefore = renewed(kind, row.getString("id"), before);
                String newAfter = renewed(kind, row.getString("id"), after);
                if (newBefore != null || newAfter != null) {
                    database.query(
                            RENEW_CHANGE,
                            revision,
                            seq,
                            newBefore == null ? before : newBefore,
                            newAfter == null ? after : newAfter);
                    renewed++;
                }
            }
        } while (rows.size() == ROWS_A_QUERY);
        return renewed;
    }

    /** Returns the text with its secrets encrypted with the present key; null when there is nothing to do. */
    private @Nullable String renewed(Kind kind, String id, @Nullable String json) {
        if (json == null) {
            return null;
        }
        JsonNode old = Json.read(json, JsonNode.class);
        JsonNode next = secrets.renewed(kind, id, old);
        return next.equals(old) ? null : Json.text(next);
    }
}

package io.sigma.controlplane.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.CommitResult.Outcome;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.StateHash;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what a request did that was committed before. Waits, on a virtual thread. */
final class EarlierWrites {

    private static final int ROWS_A_QUERY = 1000;
    private static final String FIND = "select number, state_hash, request_digest from revisions where write_id = $1";
    private static final String FIND_UNCHANGED =
            "select revision as number, state_hash, request_digest from unchanged_writes where write_id = $1";
    private static final String KEEP_UNCHANGED =
            "insert into unchanged_writes (write_id, request_digest, revision, state_hash) values ($1, $2, $3, $4)";

    /** So that they are bounded however often a client asks for what is so already. */
    private static final String FORGET_UNCHANGED = "delete from unchanged_writes where at < now() - interval '1 day' or"
            + " write_id in (select write_id from unchanged_writes order by at desc offset $1)";

    private static final int UNCHANGED_MAX = 10_000;

    private static final String CHANGES =
            "select seq, kind, id, before::text as before, after::text as after from revision_changes"
                    + " where revision = $1 and seq > $2 order by seq limit $3";

    private final Database database;
    private final Secrets secrets;

    EarlierWrites(Database database, Secrets secrets) {
        this.database = database;
        this.secrets = secrets;
    }

    /**
     * Returns what the request of {@code key} did, null when it was not committed. The caller holds the head's lock, so
     * that no commit of it is under way.
     *
     * @throws FailureException with {@link Failure.KeyReused} when it was another request
     */
    @Nullable
    CommitResult find(SqlConnection connection, WriteKey key) {
        for (Row row : database.query(connection, FIND, key.writeId())) {
            long number = row.getLong("number");
            if (!isOf(row, key)) {
                throw new FailureException(new Failure.KeyReused("Revision " + number
                        + " was made by another request with this key (expected: a key of its own for each request)."));
            }
            StateHash hash = StateHash.parse(row.getString("state_hash"));
            return new CommitResult(number, hash, edits(connection, number), Outcome.REPEATED);
        }
        for (Row row : database.query(connection, FIND_UNCHANGED, key.writeId())) {
            if (!isOf(row, key)) {
                throw new FailureException(
                        new Failure.KeyReused(
                                "Another request with this key changed nothing (expected: a key of its own for each request)."));
            }
            return new CommitResult(
                    row.getLong("number"), StateHash.parse(row.getString("state_hash")), List.of(), Outcome.REPEATED);
        }
        return null;
    }

    /**
     * Notes that the request of {@code key} changed nothing: repeated after somebody else's change it must not undo
     * that. To be committed. Such keys are kept for a day, the newest {@link #UNCHANGED_MAX} of them.
     */
    void unchanged(SqlConnection connection, WriteKey key, CommitResult committed) {
        database.query(
                connection,
                KEEP_UNCHANGED,
                key.writeId(),
                secrets.keyed(key.digest()),
                committed.revision(),
                committed.hash().hex());
        database.query(connection, FORGET_UNCHANGED, UNCHANGED_MAX);
    }

    private boolean isOf(Row row, WriteKey key) {
        String digest = row.getString("request_digest");
        return digest != null && secrets.isKeyed(digest, key.digest());
    }

    private List<EntityEdit> edits(SqlConnection connection, long number) {
        List<EntityEdit> edits = new ArrayList<>();
        int seq = -1;
        RowSet<Row> rows;
        do {
            rows = database.query(connection, CHANGES, number, seq, ROWS_A_QUERY);
            for (Row row : rows) {
                seq = row.getInteger("seq");
                Kind kind = Kind.valueOf(row.getString("kind"));
                String id = row.getString("id");
                edits.add(new EntityEdit(
                        kind, id, value(kind, id, row.getString("before")), value(kind, id, row.getString("after"))));
            }
        } while (rows.size() == ROWS_A_QUERY);
        return edits;
    }

    private @Nullable Object value(Kind kind, String id, @Nullable String json) {
        return json == null
                ? null
                : ResourceType.of(kind).read(secrets.opened(kind, id, Json.read(json, JsonNode.class)));
    }
}

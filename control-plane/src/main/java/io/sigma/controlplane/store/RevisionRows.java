package io.sigma.controlplane.store;

import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.controlplane.store.history.Table;
import io.sigma.json.Json;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Writes the rows of one revision: resources, history, head. Waits, on a virtual thread. */
final class RevisionRows {

    private static final String INSERT_REVISION =
            "insert into revisions (number, write_id, committed_at, author, message, state_hash, changes,"
                    + " request_digest) values ($1, $2, $3, $4, $5, $6, $7, $8)";
    private static final String INSERT_CHANGES = "insert into revision_changes (revision, seq, kind, id, before, after)"
            + " select $1, row.seq, row.kind, row.id, row.before::jsonb, row.after::jsonb"
            + " from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[])"
            + " as row (seq, kind, id, before, after)";
    private static final String UPDATE_HEAD = "update head set revision = $1, state_hash = $2";
    private static final String NOTIFY = "select pg_notify('" + Store.CHANNEL + "', $1)";

    /** Many rows go in parts: each has the time limit for itself, and none holds up an event loop for long. */
    private static final int ROWS_A_STATEMENT = 500;

    /** Statements sent before their answers are waited for. */
    private static final int STATEMENTS_UNANSWERED_MAX = 8;

    private final Database database;
    private final Secrets secrets;
    private final InstantSource clock;

    RevisionRows(Database database, Secrets secrets, InstantSource clock) {
        this.database = database;
        this.secrets = secrets;
        this.clock = clock;
    }

    /** Writes everything; statements are executed in order, and after one fails none of the rest is. */
    void write(SqlConnection connection, WriteRequest request, UUID writeId, CommitResult committed) {
        OffsetDateTime now = clock.instant().atOffset(ZoneOffset.UTC);
        long revision = committed.revision();
        String hash = committed.hash().hex();
        List<EntityEdit> edits = committed.edits();
        Sending sending = new Sending(connection);
        for (ResourceType<?> type : ResourceType.ALL) {
            for (List<EntityEdit> some : chunks(edits, edit -> edit.kind() == type.kind() && edit.after() != null)) {
                Object[] specs = texts(some, edit -> text(edit, edit.after()));
                sending.send(Table.of(type.kind()).upsert(), texts(some, EntityEdit::id), specs, revision, now);
            }
        }
        for (ResourceType<?> type : ResourceType.ALL.reversed()) {
            for (List<EntityEdit> some : chunks(edits, edit -> edit.kind() == type.kind() && edit.after() == null)) {
                sending.send(Table.of(type.kind()).delete(), (Object) texts(some, EntityEdit::id));
            }
        }
        sending.send(
                INSERT_REVISION,
                revision,
                writeId,
                now,
                request.author(),
                request.message(),
                hash,
                edits.size(),
                request.key() == null ? null : secrets.keyed(request.key().digest()));
        int seq = 0;
        for (List<EntityEdit> some : chunks(edits, edit -> true)) {
            sending.send(
                    INSERT_CHANGES,
                    revision,
                    numbers(seq, some.size()),
                    texts(some, edit -> edit.kind().name()),
                    texts(some, EntityEdit::id),
                    texts(some, edit -> text(edit, edit.before())),
                    texts(some, edit -> text(edit, edit.after())));
            seq += some.size();
        }
        sending.send(UPDATE_HEAD, revision, hash);
        sending.send(NOTIFY, String.valueOf(revision));
        sending.await();
    }

    /** Statements on their way. Confined to one write. */
    private final class Sending {

        private final SqlConnection connection;
        private final List<Future<?>> unanswered = new ArrayList<>();

        Sending(SqlConnection connection) {
            this.connection = connection;
        }

        void send(String sql, @Nullable Object... parameters) {
            Tuple tuple = Database.tuple(parameters);
            unanswered.add(connection.preparedQuery(sql).execute(tuple));
            if (unanswered.size() >= STATEMENTS_UNANSWERED_MAX) {
                await();
            }
        }

        /** Joins, so that nothing is under way any more when the transaction is rolled back. */
        void await() {
            database.await(Future.join(unanswered).otherwiseEmpty());
            unanswered.stream().filter(Future::failed).findFirst().ifPresent(database::await);
            unanswered.clear();
        }
    }

    private static List<List<EntityEdit>> chunks(List<EntityEdit> edits, Predicate<EntityEdit> wanted) {
        List<EntityEdit> all = edits.stream().filter(wanted).toList();
        List<List<EntityEdit>> chunks = new ArrayList<>();
        for (int from = 0; from < all.size(); from += ROWS_A_STATEMENT) {
            chunks.add(all.subList(from, Math.min(from + ROWS_A_STATEMENT, all.size())));
        }
        return chunks;
    }

    private static Object[] texts(List<EntityEdit> edits, Function<EntityEdit, @Nullable String> text) {
        return edits.stream().map(text).toArray(String[]::new);
    }

    private static Object[] numbers(int from, int count) {
        Integer[] numbers = new Integer[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = from + i;
        }
        return numbers;
    }

    private @Nullable String text(EntityEdit edit, @Nullable Object value) {
        if (value == null || !secrets.has(edit.kind())) {
            return value == null ? null : Json.text(value);
        }
        return Json.text(secrets.sealed(edit.kind(), edit.id(), Json.tree(value)));
    }
}

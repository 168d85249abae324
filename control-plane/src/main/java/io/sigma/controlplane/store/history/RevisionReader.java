package io.sigma.controlplane.store.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.Page;
import io.sigma.json.Json;
import io.sigma.model.Change;
import io.sigma.model.ChangeAction;
import io.sigma.model.Kind;
import io.sigma.model.Revision;
import io.sigma.model.RevisionDetail;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the history and the whole state. All methods wait for the database, on a virtual thread, and throw
 * {@link FailureException} when it does not answer.
 */
public final class RevisionReader {

    private static final String COLUMNS =
            "select number, committed_at, author, message, state_hash, changes, since from revisions";

    private static final String WRITTEN = " where number < $1 and ($3::text is null or author = $3)"
            + " and ($4::text is null or position(lower($4) in lower(coalesce(message, ''))) > 0)";

    private static final String FILTERED = COLUMNS + WRITTEN
            + " and ($5::text is null or exists (select from revision_changes c where c.revision = number and c.kind = $5))"
            + " order by number desc limit $2";

    /** From what happened to the resources of that id: the history is longer. */
    private static final String FILTERED_BY_ID = "with changed as materialized (select distinct revision"
            + " from revision_changes where kind = any($5) and id = $6 and revision < $1) "
            + COLUMNS + WRITTEN + " and number in (select revision from changed) order by number desc limit $2";

    private static final String BEFORE = "select before::text as before from revision_changes"
            + " where kind = $1 and id = $2 and revision > $3 order by revision, seq limit 1";

    private static final String BETWEEN = "with first as (select distinct on (kind, id) kind, id, before"
            + " from revision_changes where revision > $1 and revision <= $2 order by kind, id, revision, seq),"
            + " last as (select distinct on (kind, id) kind, id, after"
            + " from revision_changes where revision > $1 and revision <= $2 order by kind, id, revision desc, seq desc)"
            + " select kind, id, before::text as before, after::text as after from first join last using (kind, id)"
            + " where before is distinct from after order by kind, id limit $3";

    /** The base is what the changes of the oldest revision start from. */
    private static final String KEPT = "select min(number) as oldest, max(number) as newest,"
            + " (select coalesce(since, number - 1) from revisions order by number limit 1) as base,"
            + " array(select number from revisions where number = any($1::bigint[])) as kept from revisions";

    private static final String NEAR = "select (select max(number) from revisions where number < $1) as older,"
            + " (select min(number) from revisions where number > $1) as newer";

    private static final int ROWS_A_QUERY = 1000;
    private static final String CHANGES_AFTER =
            "select revision, seq, kind, id, after::text as after from revision_changes"
                    + " where (revision, seq) > ($1, $2) and revision <= $3 order by revision, seq limit $4";

    /** Changes of one revision that are shown. */
    static final int SHOWN_MAX = 1_000;

    private static final String[] KINDS =
            Arrays.stream(Kind.values()).map(Kind::name).toArray(String[]::new);

    private final Database database;
    private final SqlClient client;
    private final Secrets secrets;

    /** @param client the pool, or the connection of a transaction */
    public RevisionReader(Database database, SqlClient client, Secrets secrets) {
        this.database = database;
        this.client = client;
        this.secrets = secrets;
    }

    /** Returns a page, newest first, of the revisions before {@code before}. */
    public Page<Long, Revision> page(long before, int limit) {
        List<Revision> items = new ArrayList<>();
        query(COLUMNS + " where number < $1 order by number desc limit $2", before, limit + 1)
                .forEach(row -> items.add(revision(row)));
        boolean more = items.size() > limit;
        List<Revision> page = more ? items.subList(0, limit) : items;
        return new Page<>(page, more ? page.getLast().number() : null);
    }

    /** As {@link #page(long, int)}, of those that {@code filter} lets through. */
    public Page<Long, Revision> page(long before, int limit, RevisionFilter filter) {
        List<Revision> items = new ArrayList<>();
        String kind = filter.kind() == null ? null : filter.kind().name();
        RowSet<Row> rows = filter.id() == null
                ? query(FILTERED, before, limit + 1, filter.author(), filter.text(), kind)
                : query(
                        FILTERED_BY_ID,
                        before,
                        limit + 1,
                        filter.author(),
                        filter.text(),
                        kind == null ? KINDS.clone() : new String[] {kind},
                        filter.id());
        rows.forEach(row -> items.add(revision(row)));
        boolean more = items.size() > limit;
        List<Revision> page = more ? items.subList(0, limit) : items;
        return new Page<>(page, more ? page.getLast().number() : null);
    }

    /**
     * To be called after what depends on {@code numbers} was read: a number does not come back.
     *
     * @throws FailureException with {@link Failure.NotFound} when there never was such a revision, with
     *     {@link Failure.RevisionGone} when it is no longer kept
     */
    public void requireKept(long... numbers) {
        Row row = query(KEPT, (Object) LongStream.of(numbers).boxed().toArray(Long[]::new))
                .iterator()
                .next();
        Set<Long> kept = Set.of(row.getArrayOfLongs("kept"));
        Long oldest = row.getLong("oldest");
        for (long number : numbers) {
            boolean beginning = number == 0 && oldest != null && row.getLong("base") == 0;
            if (!beginning && !kept.contains(number)) {
                throw oldest == null || number > row.getLong("newest")
                        ? new FailureException(new Failure.NotFound("There is no revision " + number + "."))
                        : gone(number, oldest);
            }
        }
    }

    private FailureException gone(long number, long oldest) {
        Row near = query(NEAR, number).iterator().next();
        String where = near.getLong("older") == null
                ? "the oldest kept revision is " + oldest
                : "the nearest kept revisions are " + near.getLong("older") + " and " + near.getLong("newer")
                        + ", the oldest is " + oldest;
        return new FailureException(
                new Failure.RevisionGone("Revision " + number + " is no longer kept; " + where + ".", oldest));
    }

    /** Returns whether a revision is kept; to be called after what depends on it was read. */
    public boolean isKept(long number) {
        return query("select from revisions where number = $1", number).size() > 0;
    }

    /**
     * Returns what leads from the state at {@code from} to that at {@code to}, ordered by kind and id, each entity
     * once.
     *
     * @param from not after {@code to}; both are kept, {@link #requireKept}
     * @param limit entities at most
     */
    public List<EntityEdit> between(long from, long to, int limit) {
        List<EntityEdit> edits = new ArrayList<>();
        for (Row row : query(BETWEEN, from, to, limit)) {
            Kind kind = Kind.valueOf(row.getString("kind"));
            String id = row.getString("id");
            Object before = value(kind, id, row.getString("before"));
            Object after = value(kind, id, row.getString("after"));
            // The database compares encrypted texts, which differ each time. So the values are compared decrypted.
            if (!java.util.Objects.equals(before, after)) {
                edits.add(new EntityEdit(kind, id, before, after));
            }
        }
        return edits;
    }

    private @Nullable Object value(Kind kind, String id, @Nullable String json) {
        JsonNode value = node(json);
        return value == null
                ? null
                : EntityChange.of(kind, id, secrets.opened(kind, id, value)).resource();
    }

    /**
     * Returns what undoes all that happened to one resource since a revision, which is kept; null when nothing did.
     *
     * @param revision after which it happened
     */
    public @Nullable EntityChange undoing(long revision, Kind kind, String id) {
        for (Row row : query(BEFORE, kind.name(), id, revision)) {
            return new EntityChange(kind, id, value(kind, id, row.getString("before")));
        }
        return null;
    }

    /** Returns one revision without its changes, null when there is none. */
    public @Nullable Revision find(long number) {
        for (Row row : query(COLUMNS + " where number = $1", number)) {
            return revision(row);
        }
        return null;
    }

    /**
     * Returns one revision with the first {@link #SHOWN_MAX} of its changes, secrets redacted, null when there is none.
     */
    public @Nullable RevisionDetail detail(long number) {
        Revision revision = find(number);
        if (revision == null) {
            return null;
        }
        List<Change> changes = new ArrayList<>();
        query(
                        "select kind, id, before::text as before, after::text as after from revision_changes"
                                + " where revision = $1 order by seq limit $2",
                        number,
                        SHOWN_MAX)
                .forEach(change -> changes.add(change(change)));
        return RevisionDetail.builder()
                .number(revision.number())
                .committedAt(revision.committedAt())
                .author(revision.author())
                .message(revision.message())
                .stateHash(revision.stateHash())
                .since(revision.since())
                .changes(changes)
                .changesTotal(revision.changes())
                .truncated(revision.changes() > changes.size())
                .build();
    }

    /** Returns the newest revision. */
    public Head head() {
        Row row = query("select revision, state_hash from head").iterator().next();
        return new Head(row.getLong("revision"), StateHash.parse(row.getString("state_hash")));
    }

    /** Returns at most {@code limit} revisions after {@code after}, in order. */
    List<Revision> after(long after, int limit) {
        List<Revision> items = new ArrayList<>();
        query(COLUMNS + " where number > $1 order by number limit $2", after, limit)
                .forEach(row -> items.add(revision(row)));
        return items;
    }

    /** Returns, by revision, the changes of revisions {@code after + 1 .. last}. */
    Map<Long, List<EntityChange>> changes(long after, long last) {
        Map<Long, List<EntityChange>> changes = new TreeMap<>();
        long revision = after;
        int seq = Integer.MAX_VALUE;
        RowSet<Row> rows;
        do {
            rows = query(CHANGES_AFTER, revision, seq, last, ROWS_A_QUERY);
            for (Row row : rows) {
                revision = row.getLong("revision");
                seq = row.getInteger("seq");
                Kind kind = Kind.valueOf(row.getString("kind"));
                changes.computeIfAbsent(revision, number -> new ArrayList<>())
                        .add(EntityChange.of(kind, row.getString("id"), opened(kind, row)));
            }
        } while (rows.size() == ROWS_A_QUERY);
        return changes;
    }

    /**
     * Returns what leads back from the state after revision {@code from} to that after {@code to}, which is kept.
     *
     * @param max of changes; when there are more, one more than that is returned
     */
    public List<EntityChange> back(long from, long to, int max) {
        List<EntityChange> changes = new ArrayList<>();
        RowSet<Row> rows = query(
                "select distinct on (kind, id) kind, id, before::text as before from revision_changes"
                        + " where revision > $1 and revision <= $2 order by kind, id, revision, seq limit $3",
                to,
                from,
                max + 1);
        for (Row row : rows) {
            Kind kind = Kind.valueOf(row.getString("kind"));
            String id = row.getString("id");
            JsonNode before = node(row.getString("before"));
            changes.add(EntityChange.of(kind, id, before == null ? null : secrets.opened(kind, id, before)));
        }
        return changes;
    }

    /** Returns the whole state with the hash that the database has for it, read at one moment. */
    Snapshot load() {
        SqlConnection connection = database.readConnection();
        try {
            Transaction transaction = database.await(connection.begin());
            try {
                database.query(connection, "set transaction isolation level repeatable read, read only");
                Row head = database.query(connection, "select revision, state_hash from head")
                        .iterator()
                        .next();
                ResourceReader reader = new ResourceReader(database, connection, secrets);
                List<EntityChange> all = new ArrayList<>();
                ResourceType.ALL.forEach(type -> reader.all(type)
                        .forEach((id, stored) -> all.add(new EntityChange(type.kind(), id, stored.value()))));
                return new Snapshot(
                        head.getLong("revision"),
                        StateHash.parse(head.getString("state_hash")),
                        ConfigState.empty().with(all));
            } finally {
                transaction.rollback();
            }
        } finally {
            connection.close();
        }
    }

    /** Replaces the hash of a revision, unless there is a newer one by now. */
    void rehash(Snapshot snapshot, StateHash hash) {
        query(
                "with moved as (update head set state_hash = $2 where revision = $1 and state_hash = $3 returning 1)"
                        + " update revisions set state_hash = $2 where number = $1 and exists (select from moved)",
                snapshot.revision(),
                hash.hex(),
                snapshot.hash().hex());
    }

    private static Revision revision(Row row) {
        return Revision.builder()
                .number(row.getLong("number"))
                .committedAt(row.getOffsetDateTime("committed_at").toInstant())
                .author(row.getString("author"))
                .message(row.getString("message"))
                .stateHash(row.getString("state_hash"))
                .changes(row.getInteger("changes"))
                .since(row.getLong("since"))
                .build();
    }

    private @Nullable JsonNode opened(Kind kind, Row row) {
        JsonNode after = node(row.getString("after"));
        return after == null ? null : secrets.opened(kind, row.getString("id"), after);
    }

    private @Nullable JsonNode redacted(Kind kind, @Nullable String json) {
        JsonNode value = node(json);
        return value == null ? null : secrets.redacted(kind, value);
    }

    private Change change(Row row) {
        Kind kind = Kind.valueOf(row.getString("kind"));
        JsonNode before = redacted(kind, row.getString("before"));
        JsonNode after = redacted(kind, row.getString("after"));
        ChangeAction action =
                before == null ? ChangeAction.CREATE : after == null ? ChangeAction.DELETE : ChangeAction.UPDATE;
        return Change.builder()
                .kind(kind)
                .id(row.getString("id"))
                .action(action)
                .before(before)
                .after(after)
                .build();
    }

    private RowSet<Row> query(String sql, @Nullable Object... parameters) {
        return database.query(client, sql, parameters);
    }

    private static @Nullable JsonNode node(@Nullable String json) {
        return json == null ? null : Json.read(json, JsonNode.class);
    }
}

package io.sigma.controlplane.store.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.Page;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.model.Referrer;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads resources, from a pool or inside a transaction. All methods wait for the database, on a virtual thread, and
 * throw {@link io.sigma.controlplane.failure.FailureException} when it does not answer.
 */
public final class ResourceReader {

    /** Large answers come in parts: each has the time limit for itself, and none holds up an event loop for long. */
    private static final int ROWS_A_QUERY = 1000;

    private final Database database;
    private final SqlClient client;
    private final Secrets secrets;

    /** @param client the pool, or the connection of a transaction */
    public ResourceReader(Database database, SqlClient client, Secrets secrets) {
        this.secrets = secrets;
        this.database = database;
        this.client = client;
    }

    /** Returns one resource, null when there is none. */
    public <T> @Nullable Stored<T> find(ResourceType<T> type, String id) {
        return findAll(type, List.of(id)).get(id);
    }

    /** Returns those of {@code ids} that exist. */
    public <T> Map<String, Stored<T>> findAll(ResourceType<T> type, Collection<String> ids) {
        Map<String, Stored<T>> found = new HashMap<>();
        for (List<String> some : chunks(ids)) {
            put(type, query(Table.of(type.kind()).selectByIds(), (Object) some.toArray(String[]::new)), found);
        }
        return found;
    }

    /**
     * Returns the id of a resource that does not contain {@code labels} and whose acl plugin names the consumer or one
     * of the groups; null when there is none.
     *
     * @param labels a JSON object of the labels to match
     */
    public @Nullable String aclWithout(
            ResourceType<?> type, String consumer, Collection<String> groups, String labels) {
        for (Row row :
                query(Table.of(type.kind()).selectAclWithout(), consumer, groups.toArray(String[]::new), labels)) {
            return row.getString("id");
        }
        return null;
    }

    /**
     * Returns the id of a proxy server that presents all certificates, and lacks one of {@code labels}; null when there
     * is none.
     *
     * @param labels a JSON object of the labels to match
     */
    public @Nullable String presenterWithout(String labels) {
        for (Row row : query(Table.of(Kind.PROXY_SERVER).selectPresentersWithout(), labels)) {
            return row.getString("id");
        }
        return null;
    }

    /**
     * Returns the id of a proxy server that names a certificate, and lacks one of {@code labels}; null when there is
     * none.
     *
     * @param labels a JSON object of the labels to match
     */
    public @Nullable String presenterWithout(String certificate, String labels) {
        for (Row row : query(Table.of(Kind.PROXY_SERVER).selectPresentersOfWithout(), certificate, labels)) {
            return row.getString("id");
        }
        return null;
    }

    /** Returns all resources of a type by id. */
    public <T> Map<String, Stored<T>> all(ResourceType<T> type) {
        Map<String, Stored<T>> found = new HashMap<>();
        String after = "";
        RowSet<Row> rows;
        do {
            rows = query(Table.of(type.kind()).selectAfter(), after, ROWS_A_QUERY);
            after = put(type, rows, found);
        } while (rows.size() == ROWS_A_QUERY);
        return found;
    }

    /**
     * Returns a page in the order of ids.
     *
     * @param after the id after which to begin; empty for the first page
     * @param name a part of the id or the name, case-insensitive; null for all
     * @param filters values of fields that refer or are indexed
     */
    public <T> Page<String, T> page(
            ResourceType<T> type, String after, int limit, @Nullable String name, Map<String, String> filters) {
        List<String> fields = List.copyOf(filters.keySet());
        List<@Nullable Object> parameters = new ArrayList<>();
        parameters.add(after);
        parameters.add(limit + 1);
        if (name != null) {
            parameters.add(name);
        }
        fields.forEach(field -> parameters.add(filters.get(field)));
        List<T> items = new ArrayList<>();
        Table table = Table.of(type.kind());
        String sql = name == null ? table.selectPage(fields) : table.selectPageNamed(fields);
        for (Row row : query(sql, parameters.toArray())) {
            items.add(value(type, row));
        }
        boolean more = items.size() > limit;
        List<T> page = more ? items.subList(0, limit) : items;
        return new Page<>(page, more ? type.id(page.getLast()) : null);
    }

    /** Returns at most {@code max} resources that refer to one. */
    public List<Referrer> referrers(Kind kind, String id, int max) {
        List<Referrer> referrers = new ArrayList<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            for (ResourceType.Reference<?> reference : type.references()) {
                if (reference.target() == kind && referrers.size() < max) {
                    String sql = Table.of(type.kind()).selectReferrers(reference.field());
                    query(sql, id, max - referrers.size())
                            .forEach(row -> referrers.add(new Referrer(type.kind(), row.getString("id"))));
                }
            }
        }
        return referrers;
    }

    /**
     * Returns by id what refers to {@code ids}, of each referring field at most {@code max} for a thousand ids.
     *
     * @param referring kind that refers
     */
    public Map<String, List<Referrer>> referring(
            ResourceType<?> referring, Kind kind, Collection<String> ids, int max) {
        Map<String, List<Referrer>> found = new HashMap<>();
        for (ResourceType.Reference<?> reference : referring.references()) {
            if (reference.target() == kind) {
                String sql = Table.of(referring.kind()).selectReferring(reference.field());
                for (List<String> some : chunks(ids)) {
                    query(sql, some.toArray(String[]::new), max)
                            .forEach(row -> found.computeIfAbsent(row.getString("target"), id -> new ArrayList<>())
                                    .add(new Referrer(referring.kind(), row.getString("id"))));
                }
            }
        }
        return found;
    }

    /** Returns those of {@code ids} that exist. */
    public List<String> existing(Kind kind, Collection<String> ids) {
        List<String> found = new ArrayList<>();
        for (List<String> some : chunks(ids)) {
            query(Table.of(kind).selectIds(), (Object) some.toArray(String[]::new))
                    .forEach(row -> found.add(row.getString("id")));
        }
        return found;
    }

    /** Returns what reads the history where this reads resources. */
    public RevisionReader history() {
        return new RevisionReader(database, client, secrets);
    }

    /** Returns the newest revision. */
    public Head head() {
        Row head = query("select revision, state_hash from head").iterator().next();
        return new Head(head.getLong("revision"), StateHash.parse(head.getString("state_hash")));
    }

    /**
     * Returns the state at the head: {@code known}, moved forward by what was written since.
     *
     * @throws FailureException with {@link Failure.Unavailable} when the way there is no longer known
     */
    public Snapshot since(Snapshot known) {
        Head head = head();
        long revision = head.revision();
        StateHash hash = head.hash();
        if (revision == known.revision() && hash.equals(known.hash())) {
            return known;
        }
        List<EntityChange> changes = new ArrayList<>();
        if (revision > known.revision()) {
            changesAfter(known.revision(), changes);
        }
        Snapshot moved = revision > known.revision() ? known.advance(revision, changes) : known;
        if (!moved.hash().equals(hash)) {
            throw new FailureException(
                    new Failure.Unavailable("This control plane is behind the database; nothing was changed."));
        }
        return moved;
    }

    private void changesAfter(long revision, List<EntityChange> changes) {
        long number = revision;
        int seq = Integer.MAX_VALUE;
        RowSet<Row> rows;
        do {
            rows = query(
                    "select revision, seq, kind, id, after::text as after from revision_changes"
                            + " where (revision, seq) > ($1, $2) order by revision, seq limit $3",
                    number,
                    seq,
                    ROWS_A_QUERY);
            for (Row row : rows) {
                number = row.getLong("revision");
                seq = row.getInteger("seq");
                Kind kind = Kind.valueOf(row.getString("kind"));
                String id = row.getString("id");
                String after = row.getString("after");
                changes.add(EntityChange.of(
                        kind, id, after == null ? null : secrets.opened(kind, id, Json.read(after, JsonNode.class))));
            }
        } while (rows.size() == ROWS_A_QUERY);
    }

    private static List<List<String>> chunks(Collection<String> ids) {
        List<String> all = List.copyOf(ids);
        List<List<String>> chunks = new ArrayList<>();
        for (int from = 0; from < all.size(); from += ROWS_A_QUERY) {
            chunks.add(all.subList(from, Math.min(from + ROWS_A_QUERY, all.size())));
        }
        return chunks;
    }

    /** Returns the id of the last row. */
    private <T> String put(ResourceType<T> type, RowSet<Row> rows, Map<String, Stored<T>> found) {
        String last = "";
        for (Row row : rows) {
            last = row.getString("id");
            found.put(last, new Stored<>(value(type, row), row.getLong("revision")));
        }
        return last;
    }

    private <T> T value(ResourceType<T> type, Row row) {
        String spec = row.getString("spec");
        if (!secrets.has(type.kind())) {
            return Json.read(spec, type.model());
        }
        return type.read(secrets.opened(type.kind(), row.getString("id"), Json.read(spec, JsonNode.class)));
    }

    private RowSet<Row> query(String sql, @Nullable Object... parameters) {
        return database.query(client, sql, parameters);
    }
}

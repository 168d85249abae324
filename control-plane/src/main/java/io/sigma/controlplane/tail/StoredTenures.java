package io.sigma.controlplane.tail;

import io.sigma.controlplane.access.Scope;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds tenures in the history. Where it is not kept, the oldest kept revision is the beginning. Thread-safe; waits for
 * the database, on a virtual thread.
 */
public final class StoredTenures implements Tenures {

    private static final int IDS_A_QUERY = 1_000;
    private static final int KNOWN_MAX = 10_000;

    // Before the last of these changes it was another one, or did not carry the labels.
    private static final String BEGINNINGS = """
            select begun.id, begun.revision, revisions.committed_at from (
                select id, max(revision) as revision from revision_changes
                where kind = $1 and id = any($2) and not coalesce(before -> 'labels' @> $3::text::jsonb, false)
                group by id) as begun
            join revisions on revisions.number = begun.revision""";

    private static final String OLDEST =
            "select number as revision, committed_at from revisions order by number limit 1";

    private final Database database;
    private final RevisionLog log;

    /** By what was asked; the eldest are forgotten. Guarded by itself. */
    private final Map<Key, Known> known = new LinkedHashMap<>();

    private record Key(Kind kind, String id, Map<String, String> labels) {}

    /** Holds as long as the resource is this object: with each change it is another one. */
    private record Known(Object resource, Since since) {}

    public StoredTenures(Database database, RevisionLog log) {
        this.database = database;
        this.log = log;
    }

    private Map<String, ?> resources(Kind kind) {
        ConfigState state = log.current().state();
        return state.of(ResourceType.of(kind));
    }

    @Override
    public Since of(Scope scope, Kind kind, String id) {
        return some(scope, kind, List.of(id)).getOrDefault(id, NEVER);
    }

    @Override
    public Map<String, Since> all(Scope scope, Kind kind) {
        return some(scope, kind, resources(kind).keySet());
    }

    @Override
    public Map<String, Since> some(Scope scope, Kind kind, Collection<String> ids) {
        Map<String, ?> resources = resources(kind);
        Map<String, Since> found = new HashMap<>();
        List<String> asked = new ArrayList<>();
        for (String id : ids) {
            Object resource = resources.get(id);
            if (resource != null && scope.carries(resource)) {
                Since before = known(new Key(kind, id, scope.labels()), resource);
                if (before == null) {
                    asked.add(id);
                } else {
                    found.put(id, before);
                }
            }
        }
        if (!asked.isEmpty()) {
            Map<String, Since> read = read(scope, kind, asked);
            found.putAll(read);
            read.forEach((id, since) -> {
                Object resource = resources.get(id);
                if (resource != null) {
                    keep(new Key(kind, id, scope.labels()), new Known(resource, since));
                }
            });
        }
        return found;
    }

    @SuppressWarnings("ReferenceEquality") // An equal one may be another one that was made since.
    private @Nullable Since known(Key key, Object resource) {
        synchronized (known) {
            Known before = known.get(key);
            return before != null && before.resource() == resource ? before.since() : null;
        }
    }

    private void keep(Key key, Known value) {
        synchronized (known) {
            known.remove(key);
            known.put(key, value);
            if (known.size() > KNOWN_MAX) {
                known.remove(known.keySet().iterator().next());
            }
        }
    }

    private Map<String, Since> read(Scope scope, Kind kind, List<String> ids) {
        Map<String, Since> read = new HashMap<>();
        for (int from = 0; from < ids.size(); from += IDS_A_QUERY) {
            String[] some =
                    ids.subList(from, Math.min(ids.size(), from + IDS_A_QUERY)).toArray(String[]::new);
            for (Row row : database.query(BEGINNINGS, kind.name(), some, Json.text(scope.labels()))) {
                read.put(row.getString("id"), since(row));
            }
        }
        if (read.size() < ids.size()) {
            Since oldest = new Since(0, Instant.EPOCH);
            for (Row row : database.query(OLDEST)) {
                oldest = since(row);
            }
            for (String id : ids) {
                read.putIfAbsent(id, oldest);
            }
        }
        return read;
    }

    private static Since since(Row row) {
        return new Since(
                row.getLong("revision"), row.getOffsetDateTime("committed_at").toInstant());
    }
}

package io.sigma.controlplane.access;

import com.fasterxml.jackson.core.type.TypeReference;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.AuditEntry;
import io.sigma.controlplane.store.AuditLog;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.DatabaseTimes;
import io.sigma.controlplane.store.database.Page;
import io.sigma.json.Json;
import io.sigma.model.ApiToken;
import io.sigma.model.ApiTokenCreated;
import io.sigma.model.Credential;
import io.sigma.model.Kind;
import io.sigma.model.NewApiToken;
import io.sigma.model.Role;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API tokens. Thread-safe; methods wait, on a virtual thread. */
public final class ApiTokens {

    /** The prefix of tokens, by which scanners find leaked tokens. */
    public static final String PREFIX = "sigma_";

    private static final String COLUMNS =
            "select name, role, kinds, labels, created_at, created_by, expires_at, last_used_at from api_tokens";
    private static final TypeReference<Map<String, String>> LABELS = new TypeReference<>() {};

    private final Database database;
    private final AuditLog audit;

    public ApiTokens(Database database, AuditLog audit) {
        this.database = database;
        this.audit = audit;
    }

    /** Returns whether {@code text} looks as tokens do; nothing else needs to be looked up. */
    public static boolean isShaped(String text) {
        return text.startsWith(PREFIX) && text.length() == PREFIX.length() + RandomKey.CHARS;
    }

    /** Returns who {@code token} belongs to, and notes at most once a minute that it is used. */
    public Optional<Principal> find(String token) {
        for (Row row : database.query(
                "select name, role, kinds, labels, expires_at,"
                        + " coalesce(last_used_at < now() - interval '1 minute', true) as stale from api_tokens"
                        + " where key = $1 and (expires_at is null or expires_at > now())",
                buffer(token))) {
            if (row.getBoolean("stale")) {
                database.query("update api_tokens set last_used_at = now() where name = $1", row.getString("name"));
            }
            return Optional.of(new Principal(
                    "token:" + row.getString("name"),
                    Role.valueOf(row.getString("role")),
                    Credential.TOKEN,
                    false,
                    new Scope(kinds(row), labels(row)),
                    DatabaseTimes.orNull(row, "expires_at")));
        }
        return Optional.empty();
    }

    /** Returns whether {@code token} is still good, without noting that it is used. */
    public boolean isAlive(String token) {
        return database.query(
                                "select from api_tokens where key = $1 and (expires_at is null or expires_at > now())",
                                buffer(token))
                        .size()
                > 0;
    }

    /** Returns a page, ordered by name, of the tokens after {@code after}. */
    public Page<String, ApiToken> page(String after, int limit) {
        List<ApiToken> items = new ArrayList<>();
        database.query(COLUMNS + " where name > $1::text collate \"C\" order by name limit $2", after, limit + 1)
                .forEach(row -> items.add(token(row)));
        boolean more = items.size() > limit;
        List<ApiToken> page = more ? items.subList(0, limit) : items;
        return new Page<>(page, more ? page.getLast().name() : null);
    }

    /** @throws FailureException with {@link Failure.NotFound} */
    public ApiToken get(String name) {
        return existing(name, database.query(COLUMNS + " where name = $1", name));
    }

    /**
     * Makes a token.
     *
     * @param expiresAt null for never
     * @throws FailureException with {@link Failure.IdTaken}
     */
    public ApiTokenCreated create(NewApiToken wanted, @Nullable Instant expiresAt, WriteRequest request) {
        String token = PREFIX + RandomKey.next();
        return database.transaction(connection -> {
            boolean made = database.query(
                                    connection,
                                    "insert into api_tokens (name, key, role, kinds, labels, created_by, expires_at)"
                                            + " values ($1, $2, $3, $4, $5, $6, $7) on conflict (name) do nothing"
                                            + " returning 1",
                                    wanted.name(),
                                    buffer(token),
                                    wanted.role().name(),
                                    wanted.kinds().stream().map(Kind::name).toArray(String[]::new),
                                    new JsonObject(Json.text(wanted.labels())),
                                    request.author(),
                                    expiresAt == null ? null : DatabaseTimes.of(expiresAt))
                            .size()
                    > 0;
            if (!made) {
                throw new FailureException(new Failure.IdTaken("There is a token \"" + wanted.name() + "\" already."));
            }
            ApiToken stored =
                    existing(wanted.name(), database.query(connection, COLUMNS + " where name = $1", wanted.name()));
            audit.append(connection, AuditEntry.done(request, 201, null, List.of("TOKEN/" + wanted.name())));
            return new ApiTokenCreated(token, stored);
        });
    }

    /** Revokes a token. */
    public void delete(String name, WriteRequest request) {
        database.transaction(connection -> {
            if (database.query(connection, "delete from api_tokens where name = $1 returning 1", name)
                            .size()
                    == 0) {
                throw missing(name);
            }
            audit.append(connection, AuditEntry.done(request, 204, null, List.of("TOKEN/" + name)));
            return name;
        });
    }

    private static Buffer buffer(String token) {
        return Buffer.buffer(RandomKey.hash(token));
    }

    private static ApiToken existing(String name, Iterable<Row> rows) {
        for (Row row : rows) {
            return token(row);
        }
        throw missing(name);
    }

    private static FailureException missing(String name) {
        return new FailureException(new Failure.NotFound("There is no token \"" + name + "\"."));
    }

    private static ApiToken token(Row row) {
        return ApiToken.builder()
                .name(row.getString("name"))
                .role(Role.valueOf(row.getString("role")))
                .kinds(kinds(row))
                .labels(labels(row))
                .createdAt(DatabaseTimes.at(row, "created_at"))
                .createdBy(row.getString("created_by"))
                .expiresAt(DatabaseTimes.orNull(row, "expires_at"))
                .lastUsedAt(DatabaseTimes.orNull(row, "last_used_at"))
                .build();
    }

    private static List<Kind> kinds(Row row) {
        return Arrays.stream(row.getArrayOfStrings("kinds")).map(Kind::valueOf).toList();
    }

    private static Map<String, String> labels(Row row) {
        return Json.mapper().convertValue(row.getJsonObject("labels").getMap(), LABELS);
    }
}

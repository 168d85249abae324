package io.sigma.controlplane.access;

import io.sigma.controlplane.store.AuditEntry;
import io.sigma.controlplane.store.AuditLog;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.DatabaseTimes;
import io.sigma.controlplane.store.database.StorableText;
import io.sigma.model.Credential;
import io.sigma.model.Role;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Optional;

/**
 * The sessions of the dashboard, in the database, so that any control plane knows them and a restart ends none.
 * Thread-safe; methods wait, on a virtual thread.
 */
public final class Sessions {

    /** That a session is used is noted at most once in this time, and four times at least before it would end. */
    private static final double NOTED_SECONDS_MAX = 60;

    /** Of one user at once; the oldest makes room. */
    private static final int OF_A_USER_MAX = 20;

    private static final String FIND = "select sessions.user_name, users.role, users.must_change_password,"
            + " sessions.expires_at, sessions.last_seen_at < now() - make_interval(secs => $3) as stale"
            + " from sessions join users on users.name = sessions.user_name"
            + " where sessions.key = $1 and not users.disabled and sessions.expires_at > now()"
            + " and sessions.last_seen_at > now() - make_interval(mins => $2)";

    private final Database database;
    private final AuditLog audit;
    private final Passwords passwords;
    private final int idleMinutes;
    private final int hoursMax;

    /**
     * @param idleMinutes after which a session ends that is not used
     * @param hoursMax after which it ends anyway
     */
    public Sessions(Database database, AuditLog audit, Passwords passwords, int idleMinutes, int hoursMax) {
        this.database = database;
        this.audit = audit;
        this.passwords = passwords;
        this.idleMinutes = idleMinutes;
        this.hoursMax = hoursMax;
    }

    /** A session that began. {@code key} is what the client shows; it is kept nowhere. */
    public record Begun(String key, Principal principal) {}

    /** Returns who {@code key} belongs to, and notes that it is used. */
    public Optional<Principal> find(String key) {
        Optional<Row> row = row(key);
        if (row.isPresent() && row.get().getBoolean("stale")) {
            database.query("update sessions set last_seen_at = now() where key = $1", (Object) buffer(key));
        }
        return row.map(Sessions::principal);
    }

    /** Returns whether {@code key} is still good, without noting that it is used. */
    public boolean isAlive(String key) {
        return row(key).isPresent();
    }

    private Optional<Row> row(String key) {
        if (key.length() != RandomKey.CHARS) {
            return Optional.empty();
        }
        for (Row row : database.query(FIND, buffer(key), idleMinutes, notedSeconds())) {
            return Optional.of(row);
        }
        return Optional.empty();
    }

    /**
     * Begins a session. Takes the same time whether or not there is such a user.
     *
     * @param address of the client, for the audit log
     * @return empty when the password is not that of a user who may log in
     */
    public Optional<Begun> logIn(String name, String password, String address) {
        Optional<String> hash = hash(name);
        if (hash.isEmpty()) {
            passwords.matchesNobody(password);
            return Optional.empty();
        }
        if (!passwords.matches(password, hash.get())) {
            return Optional.empty();
        }
        WriteRequest request = new WriteRequest(name, null, address, "logIn");
        return database.transaction(connection -> {
            // Under a lock of the user: what was changed while the password was checked counts.
            if (database.query(
                                    connection,
                                    "update users set last_login_at = now() where name = $1 and password_hash = $2"
                                            + " and not disabled returning 1",
                                    name,
                                    hash.get())
                            .size()
                    == 0) {
                return Optional.empty();
            }
            return Optional.of(begin(connection, request, 200));
        });
    }

    /** Returns whether there is a user of this name, disabled or not. */
    public boolean isUser(String name) {
        return StorableText.isStorable(name)
                && database.query("select from users where name = $1", name).size() > 0;
    }

    private Optional<String> hash(String name) {
        if (!StorableText.isStorable(name)) {
            return Optional.empty();
        }
        for (Row row : database.query("select password_hash from users where name = $1 and not disabled", name)) {
            return Optional.of(row.getString("password_hash"));
        }
        return Optional.empty();
    }

    /**
     * Changes the password of whoever asks, ends all its sessions and begins a new one.
     *
     * @return empty when {@code current} is not the password
     */
    public Optional<Begun> changePassword(String current, String wanted, WriteRequest request) {
        String name = request.author();
        Optional<String> hash = hash(name);
        if (hash.isEmpty() || !passwords.matches(current, hash.get())) {
            return Optional.empty();
        }
        String fresh = passwords.hash(wanted);
        return database.transaction(connection -> {
            if (database.query(
                                    connection,
                                    "update users set password_hash = $3, must_change_password = false,"
                                            + " password_changed_at = now() where name = $1 and password_hash = $2"
                                            + " and not disabled returning 1",
                                    name,
                                    hash.get(),
                                    fresh)
                            .size()
                    == 0) {
                return Optional.empty();
            }
            database.query(connection, "delete from sessions where user_name = $1", name);
            return Optional.of(begin(connection, request, 200));
        });
    }

    private Begun begin(SqlConnection connection, WriteRequest request, int status) {
        String key = RandomKey.next();
        String name = request.author();
        database.query(
                connection,
                "delete from sessions where expires_at <= now() or last_seen_at <= now() - make_interval(mins => $1)",
                idleMinutes);
        database.query(
                connection,
                "delete from sessions where key in (select key from sessions where user_name = $1"
                        + " order by created_at desc offset $2)",
                name,
                OF_A_USER_MAX - 1);
        database.query(
                connection,
                "insert into sessions (key, user_name, address, expires_at)"
                        + " values ($1, $2, $3, now() + make_interval(hours => $4))",
                buffer(key),
                name,
                request.address(),
                hoursMax);
        Row row = database.query(connection, FIND, buffer(key), idleMinutes, notedSeconds())
                .iterator()
                .next();
        audit.append(connection, AuditEntry.done(request, status, null, List.of("USER/" + name)));
        return new Begun(key, principal(row));
    }

    /** Ends the session of {@code key}, or all of its user's when {@code everywhere}. */
    public void end(String key, boolean everywhere, WriteRequest request) {
        database.transaction(connection -> {
            if (everywhere) {
                database.query(connection, "delete from sessions where user_name = $1", request.author());
            } else {
                database.query(connection, "delete from sessions where key = $1", (Object) buffer(key));
            }
            audit.append(connection, AuditEntry.done(request, 204, null, List.of("USER/" + request.author())));
            return key;
        });
    }

    private double notedSeconds() {
        return Math.min(NOTED_SECONDS_MAX, idleMinutes * 60 / 4.0);
    }

    private static Buffer buffer(String key) {
        return Buffer.buffer(RandomKey.hash(key));
    }

    private static Principal principal(Row row) {
        return new Principal(
                row.getString("user_name"),
                Role.valueOf(row.getString("role")),
                Credential.SESSION,
                row.getBoolean("must_change_password"),
                Scope.ALL,
                DatabaseTimes.at(row, "expires_at"));
    }
}

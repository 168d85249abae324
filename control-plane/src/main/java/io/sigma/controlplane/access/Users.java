package io.sigma.controlplane.access;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.AuditEntry;
import io.sigma.controlplane.store.AuditLog;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.DatabaseTimes;
import io.sigma.controlplane.store.database.Page;
import io.sigma.model.NewUser;
import io.sigma.model.Role;
import io.sigma.model.User;
import io.sigma.model.UserPatch;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The users. Every change ends the sessions of its user, and is recorded in the same transaction. Thread-safe; methods
 * wait, on a virtual thread.
 */
public final class Users {

    /** The user that is made at the first start. */
    public static final String FIRST = "admin";

    private static final String COLUMNS = "select name, role, disabled, must_change_password, created_at,"
            + " password_changed_at, last_login_at from users";

    /** Lets those who write users take turns, so that two admins cannot demote each other at once. */
    private static final String LOCK = "lock table users in share row exclusive mode";

    private final Database database;
    private final AuditLog audit;
    private final Passwords passwords;

    public Users(Database database, AuditLog audit, Passwords passwords) {
        this.database = database;
        this.audit = audit;
        this.passwords = passwords;
    }

    /**
     * Makes the first admin when there is no user at all; of several control planes that start at once, one does.
     *
     * @param given the password to give it; null to generate one that must be changed
     * @return the generated password, when there is something to say
     */
    public Optional<String> makeFirst(@Nullable String given, String controlPlane) {
        if (database.query("select from users limit 1").size() > 0) {
            return Optional.empty();
        }
        String password = given == null ? RandomKey.password() : given;
        String hash = passwords.hash(password);
        WriteRequest request = new WriteRequest("process:" + controlPlane, null, "local", "firstStart");
        return database.transaction(connection -> {
            database.query(connection, LOCK);
            if (database.query(connection, "select from users limit 1").size() > 0) {
                return Optional.empty();
            }
            insert(connection, FIRST, Role.ADMIN, hash, given == null);
            record(connection, request, 201, FIRST);
            return given == null ? Optional.of(password) : Optional.empty();
        });
    }

    /** Returns a page, ordered by name, of the users after {@code after}. */
    public Page<String, User> page(String after, int limit) {
        List<User> items = new ArrayList<>();
        database.query(COLUMNS + " where name > $1::text collate \"C\" order by name limit $2", after, limit + 1)
                .forEach(row -> items.add(user(row)));
        boolean more = items.size() > limit;
        List<User> page = more ? items.subList(0, limit) : items;
        return new Page<>(page, more ? page.getLast().name() : null);
    }

    /** @throws FailureException with {@link Failure.NotFound} */
    public User get(String name) {
        return existing(name, database.query(COLUMNS + " where name = $1", name));
    }

    /** @throws FailureException with {@link Failure.IdTaken} */
    public User create(NewUser wanted, WriteRequest request) {
        String hash = passwords.hash(wanted.password());
        return database.transaction(connection -> {
            database.query(connection, LOCK);
            if (database.query(connection, "select from users where name = $1", wanted.name())
                            .size()
                    > 0) {
                throw new FailureException(new Failure.IdTaken("There is a user \"" + wanted.name() + "\" already."));
            }
            // Somebody else knows this password.
            insert(connection, wanted.name(), wanted.role(), hash, true);
            User made =
                    existing(wanted.name(), database.query(connection, COLUMNS + " where name = $1", wanted.name()));
            record(connection, request, 201, wanted.name());
            return made;
        });
    }

    /** Changes what is there in {@code patch}, and ends the user's sessions. */
    public User patch(String name, UserPatch patch, WriteRequest request) {
        String hash = patch.password() == null ? null : passwords.hash(patch.password());
        return database.transaction(connection -> {
            database.query(connection, LOCK);
            existing(name, database.query(connection, COLUMNS + " where name = $1", name));
            database.query(
                    connection,
                    "update users set role = coalesce($2, role), disabled = coalesce($3, disabled),"
                            + " password_hash = coalesce($4, password_hash),"
                            + " must_change_password = must_change_password or $4::text is not null,"
                            + " password_changed_at = case when $4::text is null then password_changed_at else now() end"
                            + " where name = $1",
                    name,
                    patch.role() == null ? null : patch.role().name(),
                    patch.disabled(),
                    hash);
            requireAdmin(connection);
            database.query(connection, "delete from sessions where user_name = $1", name);
            User changed = existing(name, database.query(connection, COLUMNS + " where name = $1", name));
            record(connection, request, 200, name);
            return changed;
        });
    }

    /** Deletes a user, and ends its sessions. */
    public void delete(String name, WriteRequest request) {
        database.transaction(connection -> {
            database.query(connection, LOCK);
            existing(name, database.query(connection, COLUMNS + " where name = $1", name));
            database.query(connection, "delete from users where name = $1", name);
            requireAdmin(connection);
            record(connection, request, 204, name);
            return name;
        });
    }

    private void requireAdmin(SqlConnection connection) {
        if (database.query(connection, "select from users where role = 'ADMIN' and not disabled limit 1")
                        .size()
                == 0) {
            throw new FailureException(
                    new Failure.IdTaken("This is the last enabled admin (expected: a second enabled one)."));
        }
    }

    private void insert(SqlConnection connection, String name, Role role, String hash, boolean mustChange) {
        database.query(
                connection,
                "insert into users (name, role, password_hash, must_change_password) values ($1, $2, $3, $4)",
                name,
                role.name(),
                hash,
                mustChange);
    }

    private void record(SqlConnection connection, WriteRequest request, int status, String name) {
        audit.append(connection, AuditEntry.done(request, status, null, List.of("USER/" + name)));
    }

    private static User existing(String name, Iterable<Row> rows) {
        for (Row row : rows) {
            return user(row);
        }
        throw new FailureException(new Failure.NotFound("There is no user \"" + name + "\"."));
    }

    private static User user(Row row) {
        return User.builder()
                .name(row.getString("name"))
                .role(Role.valueOf(row.getString("role")))
                .disabled(row.getBoolean("disabled"))
                .mustChangePassword(row.getBoolean("must_change_password"))
                .createdAt(DatabaseTimes.at(row, "created_at"))
                .passwordChangedAt(DatabaseTimes.at(row, "password_changed_at"))
                .lastLoginAt(DatabaseTimes.orNull(row, "last_login_at"))
                .build();
    }
}

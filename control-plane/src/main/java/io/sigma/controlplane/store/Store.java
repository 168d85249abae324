package io.sigma.controlplane.store;

import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.secret.KeyRing;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.DatabaseUrl;
import io.sigma.controlplane.store.database.Migrations;
import io.sigma.controlplane.store.database.Notifications;
import io.sigma.controlplane.store.history.ResourceReader;
import io.sigma.controlplane.store.history.RevisionFollower;
import io.sigma.controlplane.store.history.RevisionReader;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Everything that talks to PostgreSQL, opened and closed together. Thread-safe. */
public final class Store {

    /** On which control planes tell each other of revisions. */
    static final String CHANNEL = "sigma_revision";

    /** The value of {@link #check()} for what works. */
    public static final String UP = "UP";

    /** The prefix of a check if reads are served and writes fail. */
    public static final String DEGRADED = "DEGRADED";

    private final Database database;
    private final Secrets secrets;
    private final ResourceReader resources;
    private final RevisionReader revisions;
    private final RevisionWriter writer;
    private final RevisionFollower follower;
    private final AuditLog audit;
    private final Retention retention;

    // Set once by open(), before the store is handed out.
    private @Nullable Notifications listener;

    private Store(Database database, ControlPlaneSettings settings) {
        this.database = database;
        this.secrets = Secrets.load(KeyRing.of(settings));
        this.resources = new ResourceReader(database, database.pool(), secrets);
        this.revisions = new RevisionReader(database, database.pool(), secrets);
        this.audit = new AuditLog(database, settings.history().auditKeptMax());
        this.writer = new RevisionWriter(database, secrets, InstantSource.system(), audit);
        this.retention = new Retention(
                database,
                settings.history().revisionsKeptMax(),
                settings.history().revisionsKeptDays(),
                settings.history().revisionCheckpointHours(),
                settings.history().revisionCheckpointsMax(),
                Retention.INTERVAL);
        this.follower = new RevisionFollower(
                revisions,
                settings.history().revisionsInMemoryMax(),
                settings.history().revisionPollMillis());
    }

    /**
     * Waits for PostgreSQL, brings the schema up to date, loads the state and begins to follow. Waits, on a virtual
     * thread.
     *
     * @throws FailureException when PostgreSQL cannot be used
     * @throws IllegalArgumentException when the settings name no database
     */
    public static Store open(Vertx vertx, ControlPlaneSettings settings) throws InterruptedException {
        return open(vertx, settings, true);
    }

    static Store open(Vertx vertx, ControlPlaneSettings settings, boolean listen) throws InterruptedException {
        if (settings.database().databaseUrl() == null) {
            throw new IllegalArgumentException("databaseUrl: absent (expected: where PostgreSQL is)");
        }
        DatabaseUrl url = DatabaseUrl.parse(settings.database().databaseUrl());
        Migrations.migrate(url, Duration.ofMillis(settings.database().databaseStartMillis()));
        Store store = new Store(Database.open(vertx, url, settings), settings);
        try {
            store.follower.start(Duration.ofMillis(settings.database().databaseStartMillis()));
            if (listen) {
                store.listener = store.database
                        .notifications()
                        .on(CHANNEL, payload -> store.follower.hint())
                        .onListening(store.follower::hint);
                store.listener.start();
            }
            store.retention.start();
            return store;
        } catch (RuntimeException | InterruptedException e) {
            store.close();
            throw e;
        }
    }

    public Database database() {
        return database;
    }

    /** Returns the port of PostgreSQL; of several hosts that of the first. */
    public int databasePort() {
        return database.ports().getFirst();
    }

    /** Returns the ports of all hosts of PostgreSQL. */
    public List<Integer> databasePorts() {
        return database.ports();
    }

    /** Returns what knows where resources hold secrets. */
    public Secrets secrets() {
        return secrets;
    }

    public ResourceReader resources() {
        return resources;
    }

    public RevisionReader revisions() {
        return revisions;
    }

    public AuditLog audit() {
        return audit;
    }

    public RevisionWriter writer() {
        return writer;
    }

    /** Returns what is encrypted in the database. */
    public SealedRows sealedRows() {
        return new SealedRows(database, secrets);
    }

    Retention retention() {
        return retention;
    }

    public RevisionFollower log() {
        return follower;
    }

    /** Returns what {@code work} finds out, which is all of one moment; nobody waits for it. */
    public <T> T atOneMoment(Function<ResourceReader, T> work) {
        return database.reading(connection -> {
            database.query(connection, "set transaction isolation level repeatable read, read only");
            return work.apply(new ResourceReader(database, connection, secrets));
        });
    }

    /**
     * Returns by name whether what this store needs is UP, or why it is not. Waits, at most as long as a query may
     * take.
     */
    public Map<String, String> check() {
        try {
            revisions.head();
            String database = !this.database.takesWrites()
                    ? "DOWN: it takes no writes"
                    : this.database.hasRoom() ? UP : DEGRADED + ": its disk is full, writes fail";
            return Map.of("database", database, "schema", UP);
        } catch (FailureException e) {
            return Map.of(
                    "database",
                    database.isOlder()
                            ? "DOWN: a server with an older history takes writes"
                            : "DOWN: it does not answer");
        } catch (PgException e) {
            return Map.of("database", UP, "schema", "DOWN: it is the schema of another version");
        }
    }

    /** Completes when every connection is closed. */
    public Future<Void> close() {
        retention.close();
        follower.close();
        Future<Void> listening = listener == null ? Future.succeededFuture() : listener.close();
        return listening.otherwiseEmpty().eventually(database::close);
    }
}

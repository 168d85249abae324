package io.sigma.controlplane.store;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.CommitResult.Outcome;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.Transactions;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.controlplane.store.history.ResourceReader;
import io.sigma.controlplane.store.vote.Ballot;
import io.sigma.controlplane.store.vote.Candidate;
import io.sigma.controlplane.store.vote.Poll;
import io.sigma.model.Kind;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.StateHash;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Transaction;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The transaction of a write: lock the head, decide, change rows, add one revision, commit. Writers take turns at the
 * head, in this process and in all others, so revisions have no gaps and their order is the order of commits.
 */
public final class RevisionWriter {

    private static final long RESOLVE_PAUSE_MILLIS = 50;

    /**
     * The head's lock is held while gateways vote. The limit lets the database end a transaction of a control plane
     * that vanished without a word, so that the others' writers need not wait for the network to notice. Who waits for
     * the lock waits for votes; later statements wait for nobody.
     */
    private static final String LOCK_HEAD = "select revision, state_hash,"
            + " set_config('idle_in_transaction_session_timeout', $1, true),"
            + " set_config('statement_timeout', $2, true) from head for update";

    private final Database database;
    private final Secrets secrets;
    private final RevisionRows rows;
    private final EarlierWrites earlier;
    private final AuditLog audit;

    private volatile Ballot ballot = Ballot.NONE;

    /** The longest that {@link #ballot} waits. */
    private volatile long ballotMillis;

    RevisionWriter(Database database, Secrets secrets, InstantSource clock, AuditLog audit) {
        this.audit = audit;
        this.database = database;
        this.secrets = secrets;
        this.rows = new RevisionRows(database, secrets, clock);
        this.earlier = new EarlierWrites(database, secrets);
    }

    /** From now on each write asks {@code asked} before it commits, which takes at most {@code millis}. */
    public void ask(Ballot asked, long millis) {
        ballotMillis = millis;
        ballot = asked;
    }

    /** A write whose statements are executed and whose gateways have voted. */
    private record Prepared(CommitResult committed, Poll poll) {}

    /**
     * Commits what {@code edit} decides, and returns once it is durable; a dry run does the same but for the commit. A
     * request that was committed before is not made again. Waits, on a virtual thread.
     *
     * @throws FailureException what {@code edit} threw; {@link Failure.KeyReused} when another request had its key;
     *     {@link Failure.Unavailable} when nothing was changed because the database does not answer, or other writes
     *     took too long; {@link Failure.OutcomeUnknown} when it stopped answering during the commit and did not come
     *     back in time to say what became of it
     */
    public CommitResult write(WriteRequest request, Edit edit) {
        WriteKey key = request.key();
        UUID writeId = key == null ? UUID.randomUUID() : key.writeId();
        SqlConnection connection = database.writeConnection();
        Future<?> last = Future.succeededFuture();
        try {
            Transaction transaction = database.await(connection.begin());
            Prepared prepared;
            try {
                prepared = prepare(connection, request, writeId, edit);
            } catch (RuntimeException | Error e) {
                rollback(transaction);
                throw e;
            }
            if (prepared.committed().outcome() != Outcome.COMMITTED) {
                prepared.poll().withdrawn();
                if (prepared.committed().outcome() == Outcome.UNCHANGED && key != null && !request.dryRun()) {
                    keepKey(connection, transaction, key, prepared.committed());
                } else {
                    rollback(transaction);
                }
                return prepared.committed();
            }
            try {
                // Now that nobody is waited for any more: whoever appends waits until this commits.
                audit.append(connection, done(request, prepared.committed()));
            } catch (RuntimeException | Error e) {
                prepared.poll().withdrawn();
                rollback(transaction);
                throw e;
            }
            Future<Void> commit = Transactions.commit(connection, transaction);
            last = commit;
            return confirm(commit, prepared, writeId);
        } finally {
            // A late answer to the commit must not reach the connection's next user.
            last.onComplete(ended -> database.release(connection));
        }
    }

    /**
     * Commits the idempotency key of a write that changed nothing. A failure fails the write: without the key a
     * repetition could write.
     */
    private void keepKey(SqlConnection connection, Transaction transaction, WriteKey key, CommitResult unchanged) {
        try {
            earlier.unchanged(connection, key, unchanged);
            database.await(Transactions.commit(connection, transaction));
        } catch (RuntimeException | Error e) {
            rollback(transaction);
            throw e;
        }
    }

    private Prepared prepare(SqlConnection connection, WriteRequest request, UUID writeId, Edit edit) {
        Row head = database.queryInTurn(
                        connection,
                        LOCK_HEAD,
                        String.valueOf(ballotMillis + 2 * database.timeoutMillis()),
                        String.valueOf(database.timeoutMillis()))
                .iterator()
                .next();
        CommitResult repeated = request.key() == null ? null : earlier.find(connection, request.key());
        if (repeated != null) {
            return new Prepared(repeated, Poll.NONE);
        }
        StateHash hash = StateHash.parse(head.getString("state_hash"));
        ResourceReader reader = new ResourceReader(database, connection, secrets);
        List<EntityEdit> edits = edits(reader, edit.changes(reader));
        request.scope().check(edits, new StoredResources(reader), request.single());
        if (edits.isEmpty()) {
            return new Prepared(new CommitResult(head.getLong("revision"), hash, edits, Outcome.UNCHANGED), Poll.NONE);
        }
        StateHash before = hash;
        for (EntityEdit one : edits) {
            hash = one.before() == null ? hash : hash.minus(one.kind(), one.id(), one.before());
            hash = one.after() == null ? hash : hash.plus(one.kind(), one.id(), one.after());
        }
        Outcome outcome = request.dryRun() ? Outcome.DRY_RUN : Outcome.COMMITTED;
        CommitResult committed = new CommitResult(head.getLong("revision") + 1, hash, edits, outcome);
        // Gateways compile while the database executes the statements.
        Poll poll = ballot.open(new Candidate(head.getLong("revision"), before, committed.revision(), hash, edits));
        try {
            rows.write(connection, request, writeId, committed);
            return new Prepared(committed.with(poll.votes()), poll);
        } catch (RuntimeException | Error e) {
            poll.withdrawn();
            throw e;
        }
    }

    private static AuditEntry done(WriteRequest request, CommitResult committed) {
        List<String> entities = committed.edits().stream()
                .map(edit -> edit.kind() + "/" + edit.id())
                .toList();
        boolean created = request.single() && committed.edits().getFirst().before() == null;
        return AuditEntry.done(request, created ? 201 : 200, committed.revision(), entities);
    }

    /** Returns what really changes, with what was there before. */
    private static List<EntityEdit> edits(ResourceReader reader, List<EntityChange> changes) {
        Map<Kind, List<String>> ids = new EnumMap<>(Kind.class);
        changes.forEach(change ->
                ids.computeIfAbsent(change.kind(), kind -> new ArrayList<>()).add(change.id()));
        Map<Kind, Map<String, Object>> before = new EnumMap<>(Kind.class);
        ids.forEach((kind, ofKind) -> before.put(kind, values(reader, ResourceType.of(kind), ofKind)));
        List<EntityEdit> edits = new ArrayList<>();
        for (EntityChange change : changes) {
            Object old = before.getOrDefault(change.kind(), Map.of()).get(change.id());
            if (!Objects.equals(old, change.resource())) {
                edits.add(new EntityEdit(change.kind(), change.id(), old, change.resource()));
            }
        }
        return edits;
    }

    private static <T> Map<String, Object> values(ResourceReader reader, ResourceType<T> type, List<String> ids) {
        Map<String, Object> values = new HashMap<>();
        reader.findAll(type, ids).forEach((id, stored) -> values.put(id, stored.value()));
        return values;
    }

    private CommitResult confirm(Future<Void> commit, Prepared prepared, UUID writeId) {
        try {
            database.await(commit);
            prepared.poll().committed();
            return prepared.committed();
        } catch (PgException e) {
            prepared.poll().withdrawn();
            throw e;
        } catch (FailureException e) {
            if (Transactions.isUndone(e.getCause())) {
                prepared.poll().withdrawn();
                throw e;
            }
            // The commit may have failed or not. Gateways drop an uncommitted candidate with the next revision, or
            // after a while.
            prepared.poll().committed();
            return resolve(prepared.committed(), writeId, e);
        }
    }

    /**
     * The answer to COMMIT was lost. Whoever holds the head's lock next sees what became of it: while the old
     * transaction lives it holds that lock itself.
     */
    private CommitResult resolve(CommitResult committed, UUID writeId, FailureException lost) {
        long deadline = System.nanoTime() + 2 * database.timeoutMillis() * 1_000_000;
        while (System.nanoTime() < deadline) {
            try {
                if (exists(writeId)) {
                    return committed;
                }
                throw lost;
            } catch (FailureException e) {
                if (e == lost) {
                    throw e;
                }
                database.pause(RESOLVE_PAUSE_MILLIS);
            }
        }
        throw new FailureException(Transactions.unknown(lost.getCause()), lost);
    }

    /** On a connection for reading: who asks has a turn to write still, and all turns may be taken by those who ask. */
    private boolean exists(UUID writeId) {
        return database.transaction(connection -> {
            database.query(connection, "select revision from head for update");
            return database.query(connection, "select number from revisions where write_id = $1", writeId)
                            .size()
                    > 0;
        });
    }

    private void rollback(Transaction transaction) {
        try {
            database.await(transaction.rollback());
        } catch (RuntimeException e) {
            // The connection is gone, and the transaction with it.
        }
    }
}

package io.sigma.controlplane.fleet;

import io.sigma.json.Json;
import io.sigma.snapshot.Proposal;
import io.sigma.snapshot.Vote;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tables through which control planes ask each other's gateways. They are unlogged: what is lost with a crash of
 * the database was a question about a write that is lost as well. Thread-safe.
 */
final class ProposalTable {

    /** The payload is the control plane that asks, a space, the id of the proposal, and " withdrawn" when it is. */
    static final String PROPOSALS = "sigma_proposal";

    /** The payload is the control plane that asks, a space, the id of the proposal, a space, and the gateway. */
    static final String VOTES = "sigma_vote";

    private static final String PROPOSE = "with proposed as (insert into proposals (id, control_plane, base_revision,"
            + " base_hash, revision, state_hash, timeout_millis, body) values ($1, $2, $3, $4, $5, $6, $7, $8) returning id)"
            + " select pg_notify('" + PROPOSALS + "', $2::text || ' ' || id) from proposed";
    private static final String FIND = "select control_plane, base_revision, base_hash, revision, state_hash,"
            + " timeout_millis, body from proposals where id = $1";
    private static final String OPEN = "select control_plane, id from proposals where control_plane <> $1"
            + " and created_at > now() - interval '15 seconds'";
    private static final String VOTE = "with voted as (insert into votes (proposal_id, gateway_id, vote)"
            + " select id, $2, $3 from proposals where id = $1 on conflict do nothing returning proposal_id)"
            + " select pg_notify('" + VOTES + "', $4::text || ' ' || proposal_id || ' ' || $2::text) from voted";
    private static final String READ = "select vote from votes where proposal_id = $1";
    private static final String END = "delete from proposals where id = $1";
    private static final String NOTIFY = "select pg_notify('" + PROPOSALS + "', $1)";
    private static final String FORGET = "delete from proposals where created_at < now() - interval '2 minutes'";

    private final Pool pool;

    /** A proposal with its whole body. */
    @SuppressWarnings("ArrayRecordComponent")
    record Found(Proposal proposal, byte[] compressed) {}

    ProposalTable(Pool pool) {
        this.pool = pool;
    }

    /** Writes a proposal and wakes the other control planes. */
    Future<Void> propose(Proposal proposal, byte[] compressed) {
        return pool.preparedQuery(PROPOSE)
                .execute(Tuple.of(
                        proposal.id(),
                        proposal.controlPlaneId(),
                        proposal.baseRevision(),
                        proposal.baseHash(),
                        proposal.revision(),
                        proposal.stateHash(),
                        proposal.timeoutMillis(),
                        Buffer.buffer(compressed)))
                .mapEmpty();
    }

    /** Returns a proposal; nothing when it has ended. */
    Future<Optional<Found>> find(String id) {
        return pool.preparedQuery(FIND).execute(Tuple.of(id)).map(rows -> {
            for (Row row : rows) {
                byte[] compressed = row.getBuffer("body").getBytes();
                return Optional.of(new Found(
                        Proposals.of(
                                id,
                                row.getLong("base_revision"),
                                row.getString("base_hash"),
                                row.getLong("revision"),
                                row.getString("state_hash"),
                                row.getString("control_plane"),
                                row.getInteger("timeout_millis"),
                                compressed),
                        compressed));
            }
            return Optional.empty();
        });
    }

    /**
     * Returns what notifications say of the proposals on which control planes other than {@code controlPlane} may wait
     * for votes.
     */
    Future<List<String>> open(String controlPlane) {
        return pool.preparedQuery(OPEN).execute(Tuple.of(controlPlane)).map(rows -> {
            List<String> open = new ArrayList<>();
            rows.forEach(row -> open.add(row.getString("control_plane") + " " + row.getString("id")));
            return open;
        });
    }

    /** Writes a vote for {@code controlPlane}, which asked, unless the proposal has ended; wakes it. */
    Future<Void> vote(Vote vote, String controlPlane) {
        return pool.preparedQuery(VOTE)
                .execute(Tuple.of(vote.proposalId(), vote.gatewayId(), new JsonObject(Json.text(vote)), controlPlane))
                .mapEmpty();
    }

    /** Returns the votes on a proposal. */
    Future<List<Vote>> votes(String id) {
        return pool.preparedQuery(READ).execute(Tuple.of(id)).map(rows -> {
            List<Vote> votes = new ArrayList<>();
            rows.forEach(row -> votes.add(Json.read(row.getJsonObject("vote").encode(), Vote.class)));
            return votes;
        });
    }

    /** Deletes a proposal; {@code withdrawn} tells the others that it will not be committed. */
    Future<Void> end(String id, String controlPlane, boolean withdrawn) {
        Future<?> deleted = pool.preparedQuery(END).execute(Tuple.of(id));
        return withdrawn
                ? deleted.compose(done ->
                                pool.preparedQuery(NOTIFY).execute(Tuple.of(controlPlane + " " + id + " withdrawn")))
                        .mapEmpty()
                : deleted.mapEmpty();
    }

    /** Deletes what control planes left behind that died while asking. */
    Future<Void> forget() {
        return pool.query(FORGET).execute().mapEmpty();
    }
}

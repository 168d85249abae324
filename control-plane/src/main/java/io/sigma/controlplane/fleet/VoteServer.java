package io.sigma.controlplane.fleet;

import io.sigma.controlplane.store.database.Notifications;
import io.sigma.controlplane.store.vote.Ballot;
import io.sigma.controlplane.store.vote.Candidate;
import io.sigma.controlplane.store.vote.Poll;
import io.sigma.snapshot.Proposal;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.Vote;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks gateways about writes before they commit: those of this control plane over its event bus, the others through the
 * database and their control planes. Proposals of other control planes are passed on to the gateways here, and their
 * votes back. Thread-safe; what is confined to the fleet's event loop says so.
 */
final class VoteServer implements Ballot {

    private static final Logger LOG = LoggerFactory.getLogger(VoteServer.class);

    private static final int INVALID = 400;

    /** A gateway that let a vote pass is not waited for again so soon, unless it is heard of meanwhile. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Proposals of others that are passed on at a time: writers take turns, so more are left-overs. */
    private static final int FOREIGN_MAX = 16;

    /** The interval at which votes with a lost notification are read, in milliseconds. */
    private static final long READ_MILLIS = 250;

    private final Vertx vertx;
    private final Context context;
    private final GatewayRegistry registry;
    private final ProposalTable table;
    private final Transfers transfers;
    private final String controlPlaneId;
    private final int timeoutMillis;
    private final boolean required;

    private final Map<String, OpenPoll> open = new ConcurrentHashMap<>();
    /** By gateway, when it was found to be silent. */
    private final Map<String, Long> silent = new ConcurrentHashMap<>();
    /** The control planes that asked, by proposal. Confined to the context. */
    private final Map<String, String> foreign = new java.util.LinkedHashMap<>();
    /**
     * Proposals of others that are being read; withdrawn ones are removed, so that they are not passed on. Confined to
     * the context.
     */
    private final Set<String> reading = new HashSet<>();

    private volatile boolean closed;

    VoteServer(
            Vertx vertx,
            Context context,
            GatewayRegistry registry,
            ProposalTable table,
            Transfers transfers,
            FleetSettings settings) {
        this.vertx = vertx;
        this.context = context;
        this.registry = registry;
        this.table = table;
        this.transfers = transfers;
        this.controlPlaneId = settings.controlPlaneId();
        this.timeoutMillis = settings.voteMillis();
        this.required = settings.votesRequired();
    }

    @Override
    public Poll open(Candidate candidate) {
        Map<String, String> voters = closed || timeoutMillis == 0 ? Map.of() : registry.live();
        if (voters.isEmpty()) {
            return Poll.NONE;
        }
        byte[] compressed = Proposals.body(candidate);
        String id = UUID.randomUUID().toString();
        Proposal proposal = Proposals.of(id, candidate, controlPlaneId, timeoutMillis, compressed);
        Set<String> waitedFor = new HashSet<>(voters.keySet());
        if (!required) {
            waitedFor.removeIf(this::isSilent);
        }
        Set<String> skipped = new HashSet<>(voters.keySet());
        skipped.removeAll(waitedFor);
        boolean elsewhere = voters.values().stream().anyMatch(controlPlane -> !controlPlane.equals(controlPlaneId));
        Future<Void> written = elsewhere ? table.propose(proposal, compressed) : Future.succeededFuture();
        OpenPoll poll = new OpenPoll(
                id,
                candidate,
                registry.refused(candidate.baseRevision(), candidate.baseHash().hex())
                        .orElse(null),
                waitedFor,
                skipped,
                required,
                timeoutMillis,
                System::nanoTime,
                end -> context.runOnContext(any -> ended(id, elsewhere, written, end)));
        open.put(id, poll);
        context.runOnContext(any -> ask(poll, proposal, compressed));
        if (elsewhere) {
            written.onFailure(e -> voters.forEach((gatewayId, controlPlane) -> {
                if (!controlPlane.equals(controlPlaneId)) {
                    poll.silent(gatewayId, "cannot be asked: " + e.getMessage());
                }
            }));
            readUntilDecided(poll);
        }
        return poll;
    }

    private boolean isSilent(String gatewayId) {
        Long since = silent.get(gatewayId);
        return since != null && System.nanoTime() - since < SILENCE_NANOS;
    }

    /** Runs on the context. */
    private void ask(OpenPoll poll, Proposal proposal, byte[] compressed) {
        vertx.setTimer(timeoutMillis, timer -> expire(poll));
        publish(proposal, compressed);
    }

    private void expire(OpenPoll poll) {
        if (poll.isDecided()) {
            return;
        }
        Set<String> late = poll.missing();
        // Before anybody goes on: the next write must not wait for them again.
        late.forEach(gatewayId -> silent.put(gatewayId, System.nanoTime()));
        poll.expire();
        if (!late.isEmpty()) {
            LOG.warn("Gateways {} did not vote within {} ms", late, timeoutMillis);
        }
    }

    /** Runs on the context: chunks of large bodies are fetched by the id of the proposal. */
    private void publish(Proposal proposal, byte[] compressed) {
        if (proposal.data() == null) {
            transfers.put(
                    new SnapshotTransfer(proposal.id(), false, proposal.revision(), proposal.stateHash(), compressed));
        }
        vertx.eventBus().publish(SnapshotProtocol.PREPARE, FleetJson.of(proposal));
    }

    /** Runs on the context. */
    private void ended(String id, boolean elsewhere, Future<Void> written, OpenPoll.End end) {
        open.remove(id);
        transfers.remove(id);
        boolean withdrawn = end == OpenPoll.End.WITHDRAWN;
        if (withdrawn) {
            vertx.eventBus().publish(SnapshotProtocol.PREPARE, FleetJson.of(Proposal.withdrawal(id, controlPlaneId)));
        }
        if (elsewhere) {
            // Not before it is there: it would stay, and others would hear that it is withdrawn before they hear of it.
            written.transform(done -> table.end(id, controlPlaneId, withdrawn))
                    .onFailure(e -> LOG.debug("A proposal is deleted later: {}", e.getMessage()));
        }
    }

    private void readUntilDecided(OpenPoll poll) {
        vertx.setTimer(READ_MILLIS, timer -> {
            if (!poll.isDecided()) {
                // First: it is read again whatever comes of this time.
                readUntilDecided(poll);
                read(poll);
            }
        });
    }

    private void read(OpenPoll poll) {
        table.votes(poll.id())
                .onSuccess(votes -> votes.forEach(vote -> {
                    silent.remove(vote.gatewayId());
                    poll.hear(vote);
                }));
    }

    /** Takes in a vote of a gateway that hangs here. Runs on the context. */
    void vote(Message<JsonObject> message) {
        try {
            Vote vote = StatusCheck.checked(FleetJson.read(message.body(), Vote.class));
            silent.remove(vote.gatewayId());
            OpenPoll poll = open.get(vote.proposalId());
            String asker = foreign.get(vote.proposalId());
            if (poll != null) {
                poll.hear(vote);
            } else if (asker != null) {
                table.vote(vote, asker)
                        .onFailure(e -> LOG.warn(
                                "The vote of gateway {} does not reach control plane {}: {}",
                                vote.gatewayId(),
                                asker,
                                e.getMessage()));
            }
            message.reply(new JsonObject());
        } catch (IllegalArgumentException | NullPointerException e) {
            // Gateways ask for no reply, so that this is the only place where it can be seen.
            LOG.debug("A vote is not accepted: {}", e.getMessage());
            message.fail(INVALID, "vote: " + e.getMessage());
        }
    }

    /** A gateway has come, or has come back. */
    void reached(String gatewayId) {
        silent.remove(gatewayId);
    }

    /**
     * A gateway that hangs here is gone: nobody waits for it, unless it is known to hang on another control plane by
     * now.
     */
    void gone(String gatewayId) {
        String where = registry.controlPlaneOf(gatewayId);
        if (where != null && !where.equals(controlPlaneId)) {
            return;
        }
        silent.put(gatewayId, System.nanoTime());
        open.values().forEach(poll -> poll.silent(gatewayId, "its connection is closed"));
    }

    /** Hears of the proposals of other control planes, and of votes that reached them. */
    void listen(Notifications notifications) {
        notifications.on(ProposalTable.PROPOSALS, payload -> context.runOnContext(any -> proposed(payload)));
        notifications.on(ProposalTable.VOTES, payload -> context.runOnContext(any -> voted(payload)));
    }

    /** To be called when notifications are heard again: those of proposals that wait for votes were missed. */
    void heardAgain() {
        table.open(controlPlaneId)
                .onSuccess(open -> context.runOnContext(any -> open.forEach(this::proposed)))
                .onFailure(e -> LOG.debug("Proposals that were missed cannot be read: {}", e.getMessage()));
    }

    private void proposed(String payload) {
        String[] words = payload.split(" ", 3);
        if (closed || words.length < 2 || words[0].equals(controlPlaneId)) {
            return;
        }
        String id = words[1];
        if (words.length == 3) {
            reading.remove(id);
            if (foreign.remove(id) != null) {
                transfers.remove(id);
                vertx.eventBus().publish(SnapshotProtocol.PREPARE, FleetJson.of(Proposal.withdrawal(id, words[0])));
            }
            return;
        }
        if (foreign.containsKey(id) || !registry.live().containsValue(controlPlaneId)) {
            return;
        }
        reading.add(id);
        table.find(id).onComplete(found -> context.runOnContext(any -> read(id, words[0], found)));
    }

    private void read(String id, String asker, AsyncResult<Optional<ProposalTable.Found>> found) {
        boolean wanted = reading.remove(id);
        if (found.failed()) {
            LOG.warn("A proposal of {} cannot be read: {}", asker, found.cause().getMessage());
        } else if (wanted && found.result().isPresent()) {
            ProposalTable.Found proposal = found.result().get();
            remember(id, asker);
            publish(proposal.proposal(), proposal.compressed());
        }
    }

    private void remember(String id, String asker) {
        foreign.put(id, asker);
        while (foreign.size() > FOREIGN_MAX) {
            String oldest = foreign.keySet().iterator().next();
            foreign.remove(oldest);
            transfers.remove(oldest);
        }
    }

    private void voted(String payload) {
        String[] words = payload.split(" ", 3);
        if (words.length < 3 || !words[0].equals(controlPlaneId)) {
            return;
        }
        silent.remove(words[2]);
        @Nullable OpenPoll poll = open.get(words[1]);
        if (poll != null && !poll.isDecided()) {
            read(poll);
        }
    }

    /** Tidies up after control planes that died; to be called every minute or so. */
    void forget() {
        silent.keySet().retainAll(registry.live().keySet());
        table.forget().onFailure(e -> LOG.debug("Old proposals cannot be deleted: {}", e.getMessage()));
    }

    /** Nobody is asked any more, and nobody is waited for. */
    void close() {
        closed = true;
        open.values().forEach(OpenPoll::expire);
    }
}

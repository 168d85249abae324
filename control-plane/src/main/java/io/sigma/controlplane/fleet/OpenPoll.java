package io.sigma.controlplane.fleet;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.Poll;
import io.sigma.model.FieldError;
import io.sigma.model.GatewayVote;
import io.sigma.model.VoteKind;
import io.sigma.snapshot.Vote;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The votes on one proposal. Thread-safe. */
final class OpenPoll implements Poll {

    /** How it ended. */
    enum End {
        COMMITTED,
        WITHDRAWN
    }

    private final String id;
    private final boolean required;
    private final LongSupplier nanoTime;
    private final long beganNanos;
    private final int timeoutMillis;
    private final Consumer<End> onEnd;
    private final Promise<Void> decided = Promise.promise();

    // Guarded by this.
    private final Map<String, GatewayVote> votes = new TreeMap<>();
    private final Set<String> missing;

    /**
     * @param voters whose votes are waited for
     * @param silent who is asked but not waited for, because the last votes did not come
     * @param required whether the write fails without the vote of each
     */
    OpenPoll(
            String id,
            Set<String> voters,
            Set<String> silent,
            boolean required,
            int timeoutMillis,
            LongSupplier nanoTime,
            Consumer<End> onEnd) {
        this.id = id;
        this.required = required;
        this.timeoutMillis = timeoutMillis;
        this.nanoTime = nanoTime;
        this.beganNanos = nanoTime.getAsLong();
        this.onEnd = onEnd;
        this.missing = new HashSet<>(voters);
        for (String gatewayId : silent) {
            votes.put(gatewayId, silence(gatewayId, "not waited for: it let the last vote pass"));
        }
        if (voters.isEmpty()) {
            decided.complete();
        }
    }

    String id() {
        return id;
    }

    /** Takes in a vote; of a gateway's several the first counts. */
    void hear(Vote vote) {
        long millis = (nanoTime.getAsLong() - beganNanos) / 1_000_000;
        put(GatewayVote.builder()
                .gatewayId(vote.gatewayId())
                .vote(vote.vote())
                .millis(millis)
                .pointer(vote.pointer())
                .reason(vote.reason())
                .build());
    }

    /** Notes that {@code gatewayId} will not vote. */
    void silent(String gatewayId, String reason) {
        put(silence(gatewayId, reason));
    }

    private static GatewayVote silence(String gatewayId, String reason) {
        return GatewayVote.builder()
                .gatewayId(gatewayId)
                .vote(VoteKind.SILENT)
                .reason(reason)
                .build();
    }

    private void put(GatewayVote vote) {
        boolean complete;
        synchronized (this) {
            GatewayVote before = votes.get(vote.gatewayId());
            if (before != null && before.vote() != VoteKind.SILENT) {
                return;
            }
            votes.put(vote.gatewayId(), vote);
            missing.remove(vote.gatewayId());
            complete = missing.isEmpty() || vote.vote() == VoteKind.REFUSE;
        }
        if (complete) {
            decided.tryComplete();
        }
    }

    /** Returns who is waited for and has not voted. */
    synchronized Set<String> missing() {
        return Set.copyOf(missing);
    }

    /** Ends the wait. */
    void expire() {
        synchronized (this) {
            missing.forEach(
                    gatewayId -> votes.put(gatewayId, silence(gatewayId, "no answer within " + timeoutMillis + " ms")));
            missing.clear();
        }
        decided.tryComplete();
    }

    boolean isDecided() {
        return decided.future().isComplete();
    }

    @Override
    public List<GatewayVote> votes() {
        decided.future().await();
        List<GatewayVote> all;
        synchronized (this) {
            all = new ArrayList<>(votes.values());
        }
        List<FieldError> errors = all.stream()
                .filter(vote -> vote.vote() == VoteKind.REFUSE)
                .map(vote -> new FieldError(
                        Objects.requireNonNullElse(vote.pointer(), ""),
                        "gateway " + vote.gatewayId() + ": " + vote.reason()))
                .toList();
        if (!errors.isEmpty()) {
            throw new FailureException(new Failure.RefusedByGateway(errors, all));
        }
        List<String> silent = all.stream()
                .filter(vote -> vote.vote() == VoteKind.SILENT)
                .map(GatewayVote::gatewayId)
                .toList();
        if (required && !silent.isEmpty()) {
            throw new FailureException(new Failure.Unavailable("Nothing was changed: " + String.join(", ", silent)
                    + " did not vote within " + timeoutMillis + " ms (gatewayVotesRequired)."));
        }
        return all;
    }

    @Override
    public void committed() {
        onEnd.accept(End.COMMITTED);
    }

    @Override
    public void withdrawn() {
        onEnd.accept(End.WITHDRAWN);
    }
}

package io.sigma.controlplane.fleet;

import io.sigma.check.Faults;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.vote.Candidate;
import io.sigma.controlplane.store.vote.Poll;
import io.sigma.model.FieldError;
import io.sigma.model.GatewayVote;
import io.sigma.model.Refusal;
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
import org.jspecify.annotations.Nullable;

/** The votes on one proposal. Thread-safe. */
final class OpenPoll implements Poll {

    /** The outcome. */
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
    private final Candidate candidate;
    private final @Nullable RefusedRevision standing;
    private final Promise<Void> decided = Promise.promise();

    // Guarded by this.
    private final Map<String, GatewayVote> votes = new TreeMap<>();
    private final Set<String> missing;

    /**
     * @param voters whose votes are waited for
     * @param silent gateways that are asked and not waited for, because their last votes did not come
     * @param candidate the proposed revision
     * @param standing what is refused already of the state that {@code candidate} changes; null when nothing is
     * @param required whether the write fails without the vote of each
     */
    OpenPoll(
            String id,
            Candidate candidate,
            @Nullable RefusedRevision standing,
            Set<String> voters,
            Set<String> silent,
            boolean required,
            int timeoutMillis,
            LongSupplier nanoTime,
            Consumer<End> onEnd) {
        this.id = id;
        this.candidate = candidate;
        this.standing = standing;
        this.required = required;
        this.timeoutMillis = timeoutMillis;
        this.nanoTime = nanoTime;
        this.beganNanos = nanoTime.getAsLong();
        this.onEnd = onEnd;
        this.missing = new HashSet<>(voters);
        for (String gatewayId : silent) {
            votes.put(gatewayId, silence(gatewayId, "not waited for: it did not answer the last vote"));
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

    /**
     * Notes that {@code gatewayId} will not vote; of one that was not asked, such as one that stops, it means nothing.
     */
    void silent(String gatewayId, String reason) {
        synchronized (this) {
            if (!missing.contains(gatewayId)) {
                return;
            }
        }
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
            complete = missing.isEmpty() || (vote.vote() == VoteKind.REFUSE && !isWaived(vote.gatewayId()));
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
        refuse(all);
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

    private boolean isWaived(String gatewayId) {
        return standing != null && standing.waived().contains(gatewayId);
    }

    /**
     * A gateway that refuses what is changed now ends the write, with the place of what it refuses. So does one that
     * refuses the state before and would refuse the one after, or does not say that it would not; but that is not the
     * fault of this write.
     */
    private void refuse(List<GatewayVote> all) {
        List<FieldError> ofThis = new ArrayList<>();
        List<FieldError> ofBefore = new ArrayList<>();
        for (GatewayVote vote : all) {
            Refusal before = standing == null ? null : standing.refusals().get(vote.gatewayId());
            if (isWaived(vote.gatewayId())) {
                continue;
            }
            if (vote.vote() == VoteKind.REFUSE) {
                boolean mine = before == null || candidate.touches(vote.pointer());
                (mine ? ofThis : ofBefore).add(error(vote, vote.pointer(), vote.reason()));
            } else if (before != null && vote.vote() != VoteKind.ACCEPT && !candidate.touches(before.pointer())) {
                ofBefore.add(error(vote, before.pointer(), before.message()));
            }
        }
        if (!ofThis.isEmpty()) {
            throw new FailureException(new Failure.RefusedByGateway(ofThis, all));
        }
        if (standing != null && !ofBefore.isEmpty()) {
            throw new FailureException(
                    new Failure.RevisionRefused(standing.text(), standing.revision(), ofBefore, all));
        }
    }

    private static FieldError error(GatewayVote vote, @Nullable String pointer, @Nullable String reason) {
        return Faults.refusedByGateway(Objects.requireNonNullElse(pointer, ""), vote.gatewayId(), reason);
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

package io.sigma.controlplane.fleet;

import io.sigma.model.AnswerKind;
import io.sigma.model.GatewayAnswer;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A wait for the gateways' answers to a revision. A gateway that connects during the wait counts. A gateway that is
 * lost or stops no longer counts. Guarded by the registry's lock.
 */
final class Answers {

    private final long revision;
    private final Extent extent;
    private final long beganNanos;
    private final Histories histories;
    private final Promise<List<GatewayAnswer>> promise = Promise.promise();
    private final Map<String, Long> millis = new HashMap<>();

    /** The last seen answer of each live gateway; {@link #counts} has the number of each. */
    private final Map<String, AnswerKind> kinds = new HashMap<>();

    private final Map<AnswerKind, Integer> counts = new EnumMap<>(AnswerKind.class);

    Answers(long revision, Extent extent, Histories histories, long nanoTime) {
        this.histories = histories;
        this.revision = revision;
        this.extent = extent;
        this.beganNanos = nanoTime;
    }

    Promise<List<GatewayAnswer>> promise() {
        return promise;
    }

    /**
     * Returns the answers of all live gateways so far, ordered as {@code rows}, and notes the time of those that are
     * new.
     */
    List<GatewayAnswer> of(Collection<GatewayRow> rows, long nanoTime) {
        List<GatewayAnswer> answers = new ArrayList<>();
        kinds.clear();
        counts.clear();
        for (GatewayRow row : rows) {
            answers.add(answer(row, note(row, nanoTime)));
        }
        return answers;
    }

    /** Notes what one live gateway says now; no other one is looked at. */
    AnswerKind note(GatewayRow row, long nanoTime) {
        AnswerKind kind = row.acknowledges(revision, histories)
                ? AnswerKind.ACK
                : row.refused(revision, histories) ? AnswerKind.NACK : AnswerKind.PENDING;
        count(kinds.put(row.id(), kind), -1);
        count(kind, 1);
        if (kind != AnswerKind.PENDING) {
            millis.computeIfAbsent(
                    row.id(), id -> Duration.ofNanos(nanoTime - beganNanos).toMillis());
        }
        return kind;
    }

    /** Notes that a gateway is not live any more: nobody waits for it. */
    void drop(String gatewayId) {
        count(kinds.remove(gatewayId), -1);
    }

    /** Returns whether nothing that is still to come matters, by what was noted. */
    boolean isComplete() {
        return extent.isDecided(
                kinds.size(), counts.getOrDefault(AnswerKind.ACK, 0), counts.getOrDefault(AnswerKind.PENDING, 0));
    }

    private void count(@Nullable AnswerKind kind, int more) {
        if (kind != null) {
            counts.merge(kind, more, Integer::sum);
        }
    }

    private GatewayAnswer answer(GatewayRow row, AnswerKind kind) {
        GatewayAnswer.Builder answer = GatewayAnswer.builder()
                .gatewayId(row.id())
                .answer(kind)
                .revision(row.status().revision());
        if (kind == AnswerKind.NACK) {
            answer.refusal(row.status().refusal());
        }
        if (kind != AnswerKind.PENDING) {
            answer.millis(millis.get(row.id()));
        }
        return answer.build();
    }
}

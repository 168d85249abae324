package io.sigma.controlplane.fleet;

import io.sigma.model.AnswerKind;
import io.sigma.model.GatewayAnswer;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One wait for what the gateways say to a revision. A gateway that comes while waiting counts, one that is lost or stops
 * no longer does. Guarded by the registry.
 */
final class Answers {

    private final long revision;
    private final Extent extent;
    private final long beganNanos;
    private final Histories histories;
    private final Promise<List<GatewayAnswer>> promise = Promise.promise();
    private final Map<String, Long> millis = new HashMap<>();

    Answers(long revision, Extent extent, Histories histories, long nanoTime) {
        this.histories = histories;
        this.revision = revision;
        this.extent = extent;
        this.beganNanos = nanoTime;
    }

    Promise<List<GatewayAnswer>> promise() {
        return promise;
    }

    /** Returns the answers so far, ordered as {@code rows}, and notes the time of those that are new. */
    List<GatewayAnswer> of(Collection<GatewayRow> rows, long nanoTime) {
        List<GatewayAnswer> answers = new ArrayList<>();
        for (GatewayRow row : rows) {
            answers.add(of(row, nanoTime));
        }
        return answers;
    }

    boolean isComplete(List<GatewayAnswer> answers) {
        return extent.isDecided(answers);
    }

    private GatewayAnswer of(GatewayRow row, long nanoTime) {
        AnswerKind kind = row.acknowledges(revision, histories)
                ? AnswerKind.ACK
                : row.refused(revision, histories) ? AnswerKind.NACK : AnswerKind.PENDING;
        GatewayAnswer.Builder answer = GatewayAnswer.builder()
                .gatewayId(row.id())
                .answer(kind)
                .revision(row.status().revision());
        if (kind == AnswerKind.NACK) {
            answer.refusal(row.status().refusal());
        }
        if (kind != AnswerKind.PENDING) {
            long now = Duration.ofNanos(nanoTime - beganNanos).toMillis();
            answer.millis(millis.computeIfAbsent(row.id(), id -> now));
        }
        return answer.build();
    }
}

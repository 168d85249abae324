package io.sigma.controlplane.fleet;

import io.sigma.model.AnswerKind;
import io.sigma.model.GatewayAnswer;
import java.util.List;

/** How many gateways a write waits for. */
public enum Extent {
    /** Every live gateway. */
    ALL,
    /** More than half of them. */
    QUORUM;

    /** Returns whether so many have acknowledged. */
    public boolean isReached(List<GatewayAnswer> answers) {
        long acknowledged = count(answers, AnswerKind.ACK);
        return this == ALL ? acknowledged == answers.size() : isMost(acknowledged, answers);
    }

    /** Returns whether nothing that is still to come changes {@link #isReached}. */
    boolean isDecided(List<GatewayAnswer> answers) {
        long pending = count(answers, AnswerKind.PENDING);
        return pending == 0
                || (this == QUORUM
                        && (isReached(answers) || !isMost(count(answers, AnswerKind.ACK) + pending, answers)));
    }

    /** Nobody is as good as everybody where there is no gateway. */
    private static boolean isMost(long some, List<GatewayAnswer> answers) {
        return answers.isEmpty() || 2 * some > answers.size();
    }

    private static long count(List<GatewayAnswer> answers, AnswerKind kind) {
        return answers.stream().filter(answer -> answer.answer() == kind).count();
    }
}

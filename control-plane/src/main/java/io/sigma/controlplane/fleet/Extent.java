package io.sigma.controlplane.fleet;

import io.sigma.model.AnswerKind;
import io.sigma.model.GatewayAnswer;
import java.util.List;

/** The part of the live gateways that a write waits for. */
public enum Extent {
    /** Every live gateway. */
    ALL,
    /** More than half of them. */
    QUORUM;

    /** Returns whether so many have acknowledged. */
    public boolean isReached(List<GatewayAnswer> answers) {
        return isReached(answers.size(), count(answers, AnswerKind.ACK));
    }

    private boolean isReached(long all, long acknowledged) {
        // Nobody is as good as everybody where there is no gateway.
        return this == ALL ? acknowledged == all : all == 0 || 2 * acknowledged > all;
    }

    /**
     * Returns whether nothing that is still to come changes {@link #isReached}.
     *
     * @param all live gateways
     */
    boolean isDecided(long all, long acknowledged, long pending) {
        return pending == 0
                || (this == QUORUM && (isReached(all, acknowledged) || !isReached(all, acknowledged + pending)));
    }

    private static long count(List<GatewayAnswer> answers, AnswerKind kind) {
        return answers.stream().filter(answer -> answer.answer() == kind).count();
    }
}

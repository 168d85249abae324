package io.sigma.snapshot;

import io.sigma.model.VoteKind;
import org.jspecify.annotations.Nullable;

/**
 * A gateway's vote on a {@link Proposal}.
 *
 * @param pointer JSON pointer into the whole state of what it refuses; null when there is none
 * @param reason why it refuses or abstains; null when it accepts
 */
public record Vote(
        String gatewayId,
        String proposalId,
        VoteKind vote,
        @Nullable String pointer,
        @Nullable String reason) {}

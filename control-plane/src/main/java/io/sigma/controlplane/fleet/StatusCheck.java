package io.sigma.controlplane.fleet;

import io.sigma.controlplane.store.database.DatabaseTimes;
import io.sigma.controlplane.store.database.StorableText;
import io.sigma.model.VoteKind;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.StateHash;
import io.sigma.snapshot.Vote;
import java.util.Objects;

/** Checks that the status of a gateway is complete and short, because it goes into memory and the database. */
final class StatusCheck {

    private static final int NAME_LENGTH_MAX = 255;
    private static final int POINTER_LENGTH_MAX = 1024;
    private static final int MESSAGE_LENGTH_MAX = 16 * 1024;

    private StatusCheck() {}

    /** @throws IllegalArgumentException naming the field */
    static GatewayStatus checked(GatewayStatus status) {
        StorableText.requireStorable("gatewayId", status.gatewayId(), NAME_LENGTH_MAX);
        StorableText.requireStorable("host", status.host(), NAME_LENGTH_MAX);
        StorableText.requireStorable("version", status.version(), NAME_LENGTH_MAX);
        DatabaseTimes.requireStorable("startedAt", Objects.requireNonNull(status.startedAt(), "startedAt"));
        StateHash.parse(status.stateHash());
        if (status.revision() < 0) {
            throw new IllegalArgumentException("revision: " + status.revision() + " (expected: 0 or more)");
        }
        if (status.refusal() != null) {
            StorableText.requireStorable("refusal.message", status.refusal().message(), MESSAGE_LENGTH_MAX);
            Objects.requireNonNull(status.refusal().revision(), "refusal.revision");
            if (status.refusal().pointer() != null) {
                StorableText.requireStorable("refusal.pointer", status.refusal().pointer(), POINTER_LENGTH_MAX);
            }
        }
        return status;
    }

    /** @throws IllegalArgumentException naming the field */
    static Vote checked(Vote vote) {
        StorableText.requireStorable("gatewayId", vote.gatewayId(), NAME_LENGTH_MAX);
        StorableText.requireStorable("proposalId", vote.proposalId(), NAME_LENGTH_MAX);
        Objects.requireNonNull(vote.vote(), "vote");
        if (vote.vote() == VoteKind.SILENT) {
            throw new IllegalArgumentException("vote: SILENT (expected: ACCEPT, REFUSE or ABSTAIN)");
        }
        if (vote.pointer() != null) {
            StorableText.requireStorable("pointer", vote.pointer(), POINTER_LENGTH_MAX);
        }
        if (vote.reason() != null) {
            StorableText.requireStorable("reason", vote.reason(), MESSAGE_LENGTH_MAX);
        }
        return vote;
    }
}

package io.sigma.snapshot;

import io.sigma.model.Refusal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of a gateway. It sends it every few seconds, and at once after it applied or refused a snapshot, so it is
 * also the acknowledgement.
 *
 * @param revision the revision that it serves; 0 for none
 * @param refusal why it did not take a newer one; null when there is no newer one that it refused
 * @param stopping whether this is its last word: nobody waits for it any more
 */
public record GatewayStatus(
        String gatewayId,
        String host,
        String version,
        Instant startedAt,
        long revision,
        String stateHash,
        @Nullable Refusal refusal,
        boolean stopping) {}

package io.sigma.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * A gateway's request for a part of a snapshot, with the revision that it has.
 *
 * @param revision the revision that the gateway has; 0 for none, which asks for the full state
 * @param stateHash the hash of it; when the control plane's hash of that revision differs it answers with the full
 *     state
 * @param transferId null to begin; else the transfer of an earlier reply
 * @param chunk which chunk of the transfer, from 0
 */
public record FetchRequest(
        String gatewayId,
        long revision,
        String stateHash,
        @Nullable String transferId,
        int chunk) {}

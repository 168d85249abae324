package io.sigma.controlplane.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.store.WriteRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that fits the contract.
 *
 * @param body the parsed body; missing when the operation has none
 * @param address where the request came from
 * @param principal who asks; null for an operation that needs no credentials
 */
record Call(
        String operationId,
        Parameters parameters,
        JsonNode body,
        String address,
        @Nullable Principal principal) {

    String id() {
        return parameters.required("id");
    }

    /** Returns who asks for an operation that needs credentials. */
    Principal who() {
        return Objects.requireNonNull(principal, operationId);
    }

    /** Returns what is kept of this write. */
    WriteRequest write() {
        String id = parameters.get("id");
        String action = id == null ? operationId : operationId + " " + id;
        return new WriteRequest(who().name(), parameters.get("message"), address, action);
    }
}

package io.sigma.controlplane.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.store.WriteRequest;

/**
 * A request that fits the contract.
 *
 * @param body the parsed body; missing when the operation has none
 * @param address where the request came from
 */
record Call(String operationId, Parameters parameters, JsonNode body, String address) {

    /** Everybody who may write has the one token. */
    private static final String AUTHOR = "admin";

    String id() {
        return parameters.required("id");
    }

    /** Returns what is kept of this write. */
    WriteRequest write() {
        String id = parameters.get("id");
        String action = id == null ? operationId : operationId + " " + id;
        return new WriteRequest(AUTHOR, parameters.get("message"), address, action);
    }
}

package io.sigma.controlplane.api.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.api.contract.Contract;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.resource.Precondition;
import io.sigma.controlplane.store.WriteKey;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.json.CanonicalJson;
import io.sigma.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request that fits the contract.
 *
 * @param body the parsed body; missing when the operation has none
 * @param client where the request comes from
 * @param accept the media types that the client wants; null when it does not say
 * @param principal the author; null for an operation that needs no credentials
 */
public record ApiCall(
        String operationId,
        Parameters parameters,
        JsonNode body,
        Client client,
        @Nullable Principal principal,
        @Nullable String accept) {

    /** Parameters that say how to answer, not what to write: a client that repeats a request may well wait longer. */
    private static final Set<String> HOW = Set.of("wait", "timeout", "Idempotency-Key");

    /**
     * Returns the precondition of a write.
     *
     * @throws FailureException with {@link io.sigma.controlplane.failure.Failure.BadRequest} when it is malformed
     */
    public Precondition precondition() {
        return Precondition.parse(parameters.get("If-Match"), parameters.get("If-None-Match"));
    }

    /**
     * Returns the body of an operation that writes no resource.
     *
     * @throws FailureException with {@link io.sigma.controlplane.failure.Failure.Invalid} when it does not fit the
     *     contract
     */
    public <T> T body(Contract contract, Class<T> model) {
        FailureException.refuse(contract.check(operationId, body));
        return Json.read(body, model);
    }

    /** Returns the id in the path. */
    public String id() {
        return parameters.required("id");
    }

    /** Returns who asks for an operation that needs credentials. */
    public Principal who() {
        return Objects.requireNonNull(principal, operationId);
    }

    /** Returns whether the client would rather have YAML than JSON (RFC 9512). */
    public boolean acceptsYaml() {
        return BodyTypes.prefersYaml(accept);
    }

    /** Returns what is kept of this write. */
    public WriteRequest write() {
        Principal who = who();
        return new WriteRequest(
                who.name(),
                parameters.get("message"),
                client.address(),
                operationId,
                who.scope(),
                dryRun(),
                key(),
                false);
    }

    /** Returns whether nothing shall be committed. */
    boolean dryRun() {
        return Boolean.parseBoolean(parameters.get("dryRun"));
    }

    private @Nullable WriteKey key() {
        String key = parameters.get("Idempotency-Key");
        if (key == null || dryRun()) {
            return null;
        }
        Map<String, String> asked = new TreeMap<>(parameters.values());
        asked.keySet().removeAll(HOW);
        return WriteKey.of(who().name(), key, CanonicalJson.bytes(List.of(operationId, asked, body)));
    }
}

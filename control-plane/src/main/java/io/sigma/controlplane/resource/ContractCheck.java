package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.model.FieldError;
import io.sigma.snapshot.ResourceType;
import java.util.List;

/**
 * Checks a body against the contract's schema of its kind, and those of plugins that are not part of Sigma.
 * Thread-safe.
 */
@FunctionalInterface
public interface ContractCheck {

    /** Returns what is wrong, each with its pointer into {@code body}. */
    List<FieldError> check(ResourceType<?> type, JsonNode body);
}

package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.model.Kind;
import io.sigma.model.OperationAction;
import org.jspecify.annotations.Nullable;

/**
 * A write of a batch.
 *
 * @param body the resource or the patch; null when there is none
 * @param ifMatch as the header field; null for no precondition
 */
public record Operation(
        OperationAction action,
        Kind kind,
        String id,
        @Nullable JsonNode body,
        @Nullable String ifMatch) {}

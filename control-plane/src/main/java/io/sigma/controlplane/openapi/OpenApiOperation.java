package io.sigma.controlplane.openapi;

import org.jspecify.annotations.Nullable;

/**
 * One operation, as a route.
 *
 * @param routeId stays the same while the operation keeps its operationId, or its method and path where it has none
 * @param pointer to it in the document
 * @param tags separated by commas; empty when there are none
 */
public record OpenApiOperation(
        String routeId,
        String pointer,
        String method,
        String path,
        @Nullable String name,
        @Nullable String description,
        String operationId,
        String tags) {}

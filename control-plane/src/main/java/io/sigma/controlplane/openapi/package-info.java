/**
 * OpenAPI documents as configuration: servers become an upstream, operations become routes. Start at
 * {@link io.sigma.controlplane.openapi.OpenApiPlan}. Nothing is fetched; pure, any thread.
 */
@NullMarked
package io.sigma.controlplane.openapi;

import org.jspecify.annotations.NullMarked;

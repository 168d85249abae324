/**
 * OpenAPI documents as configuration: servers become an upstream, operations become routes. Start at
 * {@link io.sigma.controlplane.apidoc.OpenApiPlan}. Nothing is fetched; pure, any thread.
 */
@NullMarked
package io.sigma.controlplane.apidoc;

import org.jspecify.annotations.NullMarked;

/**
 * Requests and their answers in the terms of the contract: client, parameters, body, answer. Start at
 * {@link io.sigma.controlplane.api.request.ApiCall}. Runs on the event loop and the virtual threads of the verticle of
 * the server.
 */
@NullMarked
package io.sigma.controlplane.api.request;

import org.jspecify.annotations.NullMarked;

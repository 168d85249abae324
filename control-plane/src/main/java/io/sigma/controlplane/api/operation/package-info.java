/**
 * The operations of the contract. Start at {@link io.sigma.controlplane.api.operation.Operations}. Handlers run on the
 * virtual threads of the verticle of the server: one at a time, except where they wait.
 */
@NullMarked
package io.sigma.controlplane.api.operation;

import org.jspecify.annotations.NullMarked;

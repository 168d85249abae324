/**
 * The contract as the server reads it: the operations, and schemas that say what is wrong with a body. Start at
 * {@link io.sigma.controlplane.api.contract.Contract}. Immutable; any thread.
 */
@NullMarked
package io.sigma.controlplane.api.contract;

import org.jspecify.annotations.NullMarked;

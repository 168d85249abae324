/**
 * Secrets, the fields that the contract marks {@code writeOnly}: no answer contains them, the database has them
 * encrypted, and writes that leave them out keep them. Start at {@link io.sigma.controlplane.secret.Secrets}. Any
 * thread.
 */
@NullMarked
package io.sigma.controlplane.secret;

import org.jspecify.annotations.NullMarked;

/**
 * What the contract marks {@code writeOnly}: kept from every answer, encrypted in the database, and carried over by
 * writes that leave it out. Start at {@link io.sigma.controlplane.secret.Secrets}. Any thread.
 */
@NullMarked
package io.sigma.controlplane.secret;

import org.jspecify.annotations.NullMarked;

/**
 * The votes of gateways about a write, as the transaction of the write asks for them. Start at
 * {@link io.sigma.controlplane.store.vote.Ballot}. Called on the virtual thread of the write.
 */
@NullMarked
package io.sigma.controlplane.store.vote;

import org.jspecify.annotations.NullMarked;

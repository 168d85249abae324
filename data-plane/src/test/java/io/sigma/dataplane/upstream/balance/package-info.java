/**
 * Policies of balancing, alone and over real sockets. Start at {@link
 * io.sigma.dataplane.upstream.balance.BalancingTest}.
 */
@NullMarked
package io.sigma.dataplane.upstream.balance;

import org.jspecify.annotations.NullMarked;

/**
 * Policies of balancing: which of several nodes is next, whatever a node is. Start at
 * {@link io.sigma.dataplane.upstream.balance.Balancer}. A balancer is confined to one event loop.
 */
@NullMarked
package io.sigma.dataplane.upstream.balance;

import org.jspecify.annotations.NullMarked;

package io.sigma.dataplane.upstream;

import io.sigma.model.Balancing;

/**
 * How an upstream chooses nodes, compiled. Immutable.
 *
 * @param hash what is hashed; counts under {@link Balancing#HASH} only
 * @param slowStartMillis how long a node that comes takes to get its whole share; 0 for at once
 * @param panicPercent below this share of healthy nodes health is disregarded; 0 for never
 */
public record BalancePolicy(Balancing balancing, HashInput hash, int slowStartMillis, int panicPercent) {}

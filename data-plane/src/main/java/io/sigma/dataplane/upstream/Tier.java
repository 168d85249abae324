package io.sigma.dataplane.upstream;

/**
 * Nodes that take requests together. Immutable.
 *
 * @param members none is down or drained
 * @param ring over {@code members}; empty when it is not needed
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Tier(Member[] members, HashRing ring) {}

/**
 * Compares the two event bus bridges that Vert.x ships, over mutually authenticated TLS: the figures of the decision
 * record on the bridge come from here. Start at {@link io.sigma.bench.bridge.BridgeComparison}.
 */
@NullMarked
package io.sigma.bench.bridge;

import org.jspecify.annotations.NullMarked;

/**
 * A request and its answer, for control flow, filters, routing, errors, logs and metrics: without the engine that reads
 * and writes the bytes. Start at {@link io.sigma.dataplane.exchange.Exchange}. Confined to the event loop of the
 * client's connection.
 */
@NullMarked
package io.sigma.dataplane.exchange;

import org.jspecify.annotations.NullMarked;

/**
 * Filters that read, add and change header fields, the path or the scheme. Start at
 * {@link io.sigma.dataplane.filter.header.HeadersFilter}. Called on the event loop of the exchange.
 */
@NullMarked
package io.sigma.dataplane.filter.header;

import org.jspecify.annotations.NullMarked;

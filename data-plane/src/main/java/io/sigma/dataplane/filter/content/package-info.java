/**
 * Filters that answer a request themselves, from files or with a fixed response, or encode the body of a response.
 * Start at {@link io.sigma.dataplane.filter.content.FileServer} and
 * {@link io.sigma.dataplane.filter.content.CompressionFilter}. Called on the event loop of the exchange.
 */
@NullMarked
package io.sigma.dataplane.filter.content;

import org.jspecify.annotations.NullMarked;

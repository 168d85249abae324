/**
 * The control flow of a request: admission, filters, the choice of a node, forwarding, retries, mirrors, and what is
 * logged of it. Start at {@link io.sigma.dataplane.flow.ExchangeHandler}. All of a request runs on the event loop of
 * its connection.
 */
@NullMarked
package io.sigma.dataplane.flow;

import org.jspecify.annotations.NullMarked;

/**
 * The control flow of a request: admission, filters, the choice of a node, forwarding, retries, mirrors, and its log
 * line. Start at {@link io.sigma.dataplane.flow.ExchangeHandler} for HTTP, at {@link
 * io.sigma.dataplane.flow.StreamHandler} for connections of TCP and TLS and sessions of UDP, and at {@link
 * io.sigma.dataplane.flow.RpcHandler} for requests in frames. All of a request runs on the event loop of its
 * connection.
 */
@NullMarked
package io.sigma.dataplane.flow;

import org.jspecify.annotations.NullMarked;

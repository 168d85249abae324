/**
 * Connections to nodes: where a host is, the socket, TLS, then HTTP/1.1 or HTTP/2; and health checks. Start at
 * {@link io.sigma.dataplane.engine.node.NodeDialer}. A connection runs on the event loop of the request that wanted it,
 * a health check on a spare one.
 */
@NullMarked
package io.sigma.dataplane.engine.node;

import org.jspecify.annotations.NullMarked;

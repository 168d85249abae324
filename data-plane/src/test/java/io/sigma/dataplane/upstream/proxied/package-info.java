/**
 * Connections to nodes that begin with a header of the PROXY protocol, over real sockets. Start at {@link
 * io.sigma.dataplane.upstream.proxied.ProxyHeaderToNodesTest}.
 */
@NullMarked
package io.sigma.dataplane.upstream.proxied;

import org.jspecify.annotations.NullMarked;

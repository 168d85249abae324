/**
 * Headers of the PROXY protocol, by which nodes know clients, and the connections that begin with them. Start at
 * {@link io.sigma.dataplane.upstream.proxied.ClientPools}. Runs on the event loop of the client's connection.
 */
@NullMarked
package io.sigma.dataplane.upstream.proxied;

import org.jspecify.annotations.NullMarked;

/**
 * Datagrams that are passed to a node and back (protocol UDP). Start at {@link
 * io.sigma.dataplane.engine.datagram.ClientPort}, which gives each datagram to its session. A session, its port to
 * clients and that to its node run on one event loop.
 */
@NullMarked
package io.sigma.dataplane.engine.datagram;

import org.jspecify.annotations.NullMarked;

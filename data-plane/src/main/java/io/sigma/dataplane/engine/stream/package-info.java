/**
 * Connections whose bytes are passed to a node: TCP, and TLS that is not decrypted here. Start at {@link
 * io.sigma.dataplane.engine.stream.StreamConnection}. A connection, and that to its node, run on one event loop.
 */
@NullMarked
package io.sigma.dataplane.engine.stream;

import org.jspecify.annotations.NullMarked;

/**
 * HTTP/2 towards nodes: a connection, its streams, and the responses on them. Start at {@link
 * io.sigma.dataplane.engine.http2.node.Http2NodeLink}. Runs on the event loop of the connection.
 */
@NullMarked
package io.sigma.dataplane.engine.http2.node;

import org.jspecify.annotations.NullMarked;

/**
 * HTTP/2 on the frames of Netty: each stream is a request, and the output of a loop iteration leaves at its end. Start
 * at {@link io.sigma.dataplane.engine.http2.Http2Link} for clients and {@link
 * io.sigma.dataplane.engine.http2.node.Http2NodeLink} for nodes. Each runs on the event loop of its connection.
 */
@NullMarked
package io.sigma.dataplane.engine.http2;

import org.jspecify.annotations.NullMarked;

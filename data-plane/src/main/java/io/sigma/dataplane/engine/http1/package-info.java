/**
 * HTTP/1.1 on Netty: heads parsed where they lie, bodies passed on as they came. Start at
 * {@link io.sigma.dataplane.engine.http1.ClientLink} for clients and at
 * {@link io.sigma.dataplane.engine.http1.NodeLink} for nodes. A connection is confined to its event loop.
 */
@NullMarked
package io.sigma.dataplane.engine.http1;

import org.jspecify.annotations.NullMarked;

/**
 * HTTP/1.1 with clients and nodes, and what holds for every version, over real sockets. Start at {@link
 * io.sigma.dataplane.http1.ForwardingTest}.
 */
@NullMarked
package io.sigma.dataplane.http1;

import org.jspecify.annotations.NullMarked;

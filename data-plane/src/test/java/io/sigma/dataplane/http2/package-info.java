/** HTTP/2 with clients and nodes, over real sockets. Start at {@link io.sigma.dataplane.http2.Http2RulesTest}. */
@NullMarked
package io.sigma.dataplane.http2;

import org.jspecify.annotations.NullMarked;

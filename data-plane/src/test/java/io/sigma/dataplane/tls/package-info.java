/** TLS with clients and nodes, over real sockets. Start at {@link io.sigma.dataplane.tls.TlsAndHttp2Test}. */
@NullMarked
package io.sigma.dataplane.tls;

import org.jspecify.annotations.NullMarked;

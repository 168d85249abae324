/** Requests in frames over real sockets, with the clients and servers of each protocol. */
@NullMarked
package io.sigma.dataplane.framed;

import org.jspecify.annotations.NullMarked;

/** TCP and TLS pass-through over real sockets. */
@NullMarked
package io.sigma.dataplane.stream;

import org.jspecify.annotations.NullMarked;

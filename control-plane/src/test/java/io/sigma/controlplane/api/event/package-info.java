/** Tests of the stream of events over real sockets and a real PostgreSQL. */
@NullMarked
package io.sigma.controlplane.api.event;

import org.jspecify.annotations.NullMarked;

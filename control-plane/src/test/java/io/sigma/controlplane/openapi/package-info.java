/** Tests of the admin API over real sockets and a real PostgreSQL. */
@NullMarked
package io.sigma.controlplane.openapi;

import org.jspecify.annotations.NullMarked;

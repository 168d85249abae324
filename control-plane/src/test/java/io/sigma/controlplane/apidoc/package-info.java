/** Tests of the admin API over real sockets and a real PostgreSQL. */
@NullMarked
package io.sigma.controlplane.apidoc;

import org.jspecify.annotations.NullMarked;

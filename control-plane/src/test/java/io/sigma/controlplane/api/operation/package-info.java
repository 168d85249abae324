/** Tests of the operations of the admin API over real sockets and a real PostgreSQL. */
@NullMarked
package io.sigma.controlplane.api.operation;

import org.jspecify.annotations.NullMarked;

/** Tests of the store on a real PostgreSQL. */
@NullMarked
package io.sigma.controlplane.store;

import org.jspecify.annotations.NullMarked;

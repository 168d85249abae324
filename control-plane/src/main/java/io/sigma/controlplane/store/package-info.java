/**
 * PostgreSQL: the schema, the transaction of a write, and the newest revision kept in memory. Start at
 * {@link io.sigma.controlplane.store.RevisionLog} for reading and at the transaction of a write for writing. Queries
 * run on the pool's event loop; results arrive on the caller's context.
 */
@NullMarked
package io.sigma.controlplane.store;

import org.jspecify.annotations.NullMarked;

/**
 * PostgreSQL as the control plane sees it: connections, the host that takes writes, the schema, notifications. Start at
 * {@link io.sigma.controlplane.store.database.Database}. Queries run on the event loop of the pool; methods wait, on a
 * virtual thread.
 */
@NullMarked
package io.sigma.controlplane.store.database;

import org.jspecify.annotations.NullMarked;

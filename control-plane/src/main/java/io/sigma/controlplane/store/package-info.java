/**
 * The transaction of a write, the audit log, and how long history is kept. Start at
 * {@link io.sigma.controlplane.store.RevisionWriter} for writing and at
 * {@link io.sigma.controlplane.store.history.RevisionLog} for reading; {@link io.sigma.controlplane.store.Store} opens
 * all of it. Below it, {@code history} reads, {@code vote} asks gateways, and {@code database} is PostgreSQL. Methods
 * wait, on a virtual thread.
 */
@NullMarked
package io.sigma.controlplane.store;

import org.jspecify.annotations.NullMarked;

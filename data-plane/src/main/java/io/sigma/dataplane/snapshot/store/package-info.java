/**
 * The last good snapshot on disk, for a start without a control plane. Start at
 * {@link io.sigma.dataplane.snapshot.store.SnapshotSaver}, which writes on a thread of its own.
 */
@NullMarked
package io.sigma.dataplane.snapshot.store;

import org.jspecify.annotations.NullMarked;

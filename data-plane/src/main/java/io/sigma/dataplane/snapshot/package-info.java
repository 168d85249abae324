/**
 * Snapshots become what runs: compiled off the event loops, swapped with one volatile write, kept on disk. Start at
 * {@link io.sigma.dataplane.snapshot.SnapshotTarget}, and for the swap at
 * {@link io.sigma.dataplane.snapshot.SnapshotApplier}. Compilation runs on a worker thread, one snapshot at a time.
 */
@NullMarked
package io.sigma.dataplane.snapshot;

import org.jspecify.annotations.NullMarked;

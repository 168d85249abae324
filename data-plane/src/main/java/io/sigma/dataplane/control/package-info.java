/**
 * The gateway's side of the snapshot protocol: how it hears of revisions, fetches what it lacks, and says what it
 * serves. Start at {@link io.sigma.dataplane.control.SnapshotClient}. Runs on an event loop of its own, so that its
 * trouble cannot reach the loops that carry traffic.
 */
@NullMarked
package io.sigma.dataplane.control;

import org.jspecify.annotations.NullMarked;

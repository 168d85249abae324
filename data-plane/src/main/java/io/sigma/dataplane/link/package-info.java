/**
 * The gateway's side of the snapshot protocol: how it hears of revisions, fetches what it lacks, and says what it
 * serves. Start at {@link io.sigma.dataplane.link.SnapshotClient}. Runs on an event loop of its own, so that its
 * trouble cannot reach the loops that carry traffic.
 */
@NullMarked
package io.sigma.dataplane.link;

import org.jspecify.annotations.NullMarked;

/**
 * The gateway's side of the snapshot protocol: it receives announcements of revisions, fetches them, votes on
 * proposals, and reports the revision that it serves. Start at {@link io.sigma.dataplane.link.SnapshotClient} for
 * revisions and at {@link io.sigma.dataplane.link.Voter} for votes. Runs on an event loop of its own, so that its
 * trouble cannot reach the loops that carry traffic.
 */
@NullMarked
package io.sigma.dataplane.link;

import org.jspecify.annotations.NullMarked;

/**
 * The whole configuration as a value, how its state is hashed, and the messages that carry it from a control plane to a
 * gateway. Start at {@link io.sigma.snapshot.Snapshot} for the value and at {@link io.sigma.snapshot.SnapshotProtocol}
 * for the messages. Immutable; any thread.
 */
@NullMarked
package io.sigma.snapshot;

import org.jspecify.annotations.NullMarked;

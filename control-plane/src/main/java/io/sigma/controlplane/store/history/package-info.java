/**
 * What is stored: resources, the revisions that are kept, and the newest one in memory. Start at
 * {@link io.sigma.controlplane.store.history.RevisionLog}. Readers wait, on a virtual thread; the log is read on any
 * thread and advances on a virtual thread of its own.
 */
@NullMarked
package io.sigma.controlplane.store.history;

import org.jspecify.annotations.NullMarked;

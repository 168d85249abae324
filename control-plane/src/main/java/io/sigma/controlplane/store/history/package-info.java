/**
 * The stored resources, the kept revisions, and the newest revision in memory. Start at {@link
 * io.sigma.controlplane.store.history.RevisionLog}. Readers wait, on a virtual thread; the log is read on any thread
 * and advances on a virtual thread of its own.
 */
@NullMarked
package io.sigma.controlplane.store.history;

import org.jspecify.annotations.NullMarked;

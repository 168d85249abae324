/**
 * The listeners of a gateway: which are open, and how they follow a snapshot without disturbing those that did not
 * change. Start at {@link io.sigma.dataplane.listener.Listeners}. The thread that applies snapshots calls it, one
 * snapshot after the other.
 */
@NullMarked
package io.sigma.dataplane.listener;

import org.jspecify.annotations.NullMarked;

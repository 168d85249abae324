/**
 * Calls of code that may throw, of which nobody who waits may hear nothing. Start at
 * {@link io.sigma.controlplane.callback.Attempt}. Any thread.
 */
@NullMarked
package io.sigma.controlplane.callback;

import org.jspecify.annotations.NullMarked;

/**
 * Calls of code that may throw. Those who wait for the result hear of it in any case. Start at
 * {@link io.sigma.controlplane.callback.Attempt}. Any thread.
 */
@NullMarked
package io.sigma.controlplane.callback;

import org.jspecify.annotations.NullMarked;

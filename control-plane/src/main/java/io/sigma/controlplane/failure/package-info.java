/**
 * Why the control plane did not do what it was asked. Start at {@link io.sigma.controlplane.failure.Failure}. The admin
 * API turns each into a problem document in one place. Immutable; any thread.
 */
@NullMarked
package io.sigma.controlplane.failure;

import org.jspecify.annotations.NullMarked;

/**
 * Checks which reports of gateways are kept: a gateway may be compromised. Start at {@link
 * io.sigma.controlplane.reported.Configured}. Any thread.
 */
@NullMarked
package io.sigma.controlplane.reported;

import org.jspecify.annotations.NullMarked;

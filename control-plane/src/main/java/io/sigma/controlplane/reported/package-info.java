/**
 * What of the reports of gateways is worth keeping: a gateway may be in the hands of somebody else. Start at
 * {@link io.sigma.controlplane.reported.Configured}. Any thread.
 */
@NullMarked
package io.sigma.controlplane.reported;

import org.jspecify.annotations.NullMarked;

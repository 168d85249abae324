/**
 * Settings of a gateway process. Start at {@link io.sigma.dataplane.settings.GatewaySettings}. Immutable; any thread.
 */
@NullMarked
package io.sigma.dataplane.settings;

import org.jspecify.annotations.NullMarked;

/**
 * The settings of a control plane, and the secrets that it makes for itself when none are set. Start at
 * {@link io.sigma.controlplane.settings.ControlPlaneSettings}. Read once at start; immutable.
 */
@NullMarked
package io.sigma.controlplane.settings;

import org.jspecify.annotations.NullMarked;

/**
 * Settings of a process: one flat record, filled from a YAML file and {@code SIGMA_*} variables, checked at start,
 * unknown keys refused. Start at {@link io.sigma.settings.SettingsReader}. Used once, on the main thread.
 */
@NullMarked
package io.sigma.settings;

import org.jspecify.annotations.NullMarked;

/**
 * Configurations that a gateway takes, refuses and changes while it serves. Start at {@link
 * io.sigma.dataplane.config.ConfigChangeTest}.
 */
@NullMarked
package io.sigma.dataplane.config;

import org.jspecify.annotations.NullMarked;

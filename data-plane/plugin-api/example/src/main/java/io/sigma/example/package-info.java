/** A plugin that is not part of Sigma. Start at {@link io.sigma.example.MaintenancePlugin}. */
@NullMarked
package io.sigma.example;

import org.jspecify.annotations.NullMarked;

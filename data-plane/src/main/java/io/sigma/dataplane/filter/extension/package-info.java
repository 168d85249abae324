/**
 * Shows plugins that are not part of Sigma what {@code io.sigma.plugin} promises them, and nothing else of an exchange.
 * Start at {@link io.sigma.dataplane.filter.extension.ExtensionFilter}. Called on the event loop of the exchange.
 */
@NullMarked
package io.sigma.dataplane.filter.extension;

import org.jspecify.annotations.NullMarked;

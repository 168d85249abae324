/**
 * What plugins that are not part of Sigma implement. Start at {@link io.sigma.dataplane.filter.spi.PluginProvider}.
 * Filters run on every event loop at once, providers off them.
 */
@NullMarked
package io.sigma.dataplane.filter.spi;

import org.jspecify.annotations.NullMarked;

/**
 * What plugins that are not part of Sigma implement. Start at {@link io.sigma.dataplane.filter.spi.PluginProvider}.
 */
@NullMarked
package io.sigma.dataplane.filter.spi;

import org.jspecify.annotations.NullMarked;

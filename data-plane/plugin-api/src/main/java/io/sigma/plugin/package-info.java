/**
 * The interfaces that plugins outside of Sigma implement, and all that they see of a gateway. Start at {@link
 * io.sigma.plugin.PluginProvider}. Filters run on every event loop at once, providers off them.
 */
@NullMarked
package io.sigma.plugin;

import org.jspecify.annotations.NullMarked;

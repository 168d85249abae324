/** Plugins of a gateway, over real sockets. Start at {@link io.sigma.dataplane.plugin.PluginTest}. */
@NullMarked
package io.sigma.dataplane.plugin;

import org.jspecify.annotations.NullMarked;

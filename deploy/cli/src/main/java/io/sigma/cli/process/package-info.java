/**
 * Commands that run a process, or make it ready: gateway, control plane, both in one. Start at {@link
 * io.sigma.cli.process.GatewayCommand}. The main thread starts the process and waits; a hook of the JVM stops it in
 * order.
 */
@NullMarked
package io.sigma.cli.process;

import org.jspecify.annotations.NullMarked;

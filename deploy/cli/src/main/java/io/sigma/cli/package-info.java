/**
 * The command line. Start at {@link io.sigma.cli.Main}, and {@link io.sigma.cli.Commands}, which names all commands:
 * {@code process} has those that run a process, {@code state} those on the configuration, {@code admin} those on
 * gateways and secrets. Commands run on the main thread, which a long-running one parks until the process is told to
 * stop; the JVM's shutdown hook then stops it in order.
 */
@NullMarked
package io.sigma.cli;

import org.jspecify.annotations.NullMarked;

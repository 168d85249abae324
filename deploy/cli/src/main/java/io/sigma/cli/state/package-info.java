/**
 * Commands that show, check and change the configuration: diff, apply, export, import, validate. Start at {@link
 * io.sigma.cli.state.ApplyCommand}. The main thread.
 */
@NullMarked
package io.sigma.cli.state;

import org.jspecify.annotations.NullMarked;

/**
 * The input of commands: options, files and addresses, with errors that a person can mend. Start at {@link
 * io.sigma.cli.input.InvalidInput}. The main thread.
 */
@NullMarked
package io.sigma.cli.input;

import org.jspecify.annotations.NullMarked;

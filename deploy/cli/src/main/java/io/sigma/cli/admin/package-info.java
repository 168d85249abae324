/**
 * Commands about gateways that are shut out, refused revisions and secrets. Start at {@link
 * io.sigma.cli.admin.RevokeCommand}. The main thread.
 */
@NullMarked
package io.sigma.cli.admin;

import org.jspecify.annotations.NullMarked;

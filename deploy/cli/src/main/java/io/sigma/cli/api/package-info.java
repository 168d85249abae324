/**
 * The admin API as commands call it. Start at {@link io.sigma.cli.api.AdminApi}. The main thread.
 */
@NullMarked
package io.sigma.cli.api;

import org.jspecify.annotations.NullMarked;

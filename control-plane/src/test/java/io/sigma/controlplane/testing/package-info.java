/** The base of tests of the control plane: a real PostgreSQL, a client, settings. Start at {@link TestDatabase}. */
@NullMarked
package io.sigma.controlplane.testing;

import org.jspecify.annotations.NullMarked;

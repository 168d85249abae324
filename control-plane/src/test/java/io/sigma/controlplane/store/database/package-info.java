/** Tests of what the control plane knows of PostgreSQL. */
@NullMarked
package io.sigma.controlplane.store.database;

import org.jspecify.annotations.NullMarked;

/** Tests of the log of events over a real PostgreSQL. */
@NullMarked
package io.sigma.controlplane.events;

import org.jspecify.annotations.NullMarked;

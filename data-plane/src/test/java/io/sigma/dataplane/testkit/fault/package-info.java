/** Failures, delays and shortages for tests. Start at {@link io.sigma.dataplane.testkit.fault.LateSockets}. */
@NullMarked
package io.sigma.dataplane.testkit.fault;

import org.jspecify.annotations.NullMarked;

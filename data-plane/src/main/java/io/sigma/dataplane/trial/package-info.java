/**
 * Tests a request without sending it: finds its route, the filters that answer it, and the nodes that it could go to.
 * Start at {@link io.sigma.dataplane.trial.RouteTrial}. Runs on a worker thread.
 */
@NullMarked
package io.sigma.dataplane.trial;

import org.jspecify.annotations.NullMarked;

/**
 * What would happen to a request that nobody sends: which route takes it, which filters answer it, which nodes it could
 * go to. Start at {@link io.sigma.dataplane.trial.RouteTrial}. Runs on a worker thread.
 */
@NullMarked
package io.sigma.dataplane.trial;

import org.jspecify.annotations.NullMarked;

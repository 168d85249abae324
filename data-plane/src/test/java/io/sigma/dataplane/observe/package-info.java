/**
 * Tests of a gateway's reports about itself and its traffic: logs, metrics, traces. Start at {@link
 * io.sigma.dataplane.observe.ObservationTest}.
 */
@NullMarked
package io.sigma.dataplane.observe;

import org.jspecify.annotations.NullMarked;

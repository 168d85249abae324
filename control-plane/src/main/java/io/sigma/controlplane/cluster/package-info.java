/**
 * The way between this control plane and gateways elsewhere: the authority that certifies both, enrolment, and the
 * event bus bridge with its guard, all on one TLS port. Start at {@link io.sigma.controlplane.cluster.ClusterServer}.
 * The server's handlers run on one event loop.
 */
@NullMarked
package io.sigma.controlplane.cluster;

import org.jspecify.annotations.NullMarked;

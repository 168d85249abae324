/**
 * The cluster port from both ends: how a gateway enrolls, renews its certificate and loses it, and what the port
 * permits. Start at {@link io.sigma.inprocess.cluster.ClusterPortTest}.
 */
@NullMarked
package io.sigma.inprocess.cluster;

import org.jspecify.annotations.NullMarked;

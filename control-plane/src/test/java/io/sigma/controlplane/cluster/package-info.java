/** Tests of the cluster port's parts; both ends together are tested in e2e/in-process. */
@NullMarked
package io.sigma.controlplane.cluster;

import org.jspecify.annotations.NullMarked;

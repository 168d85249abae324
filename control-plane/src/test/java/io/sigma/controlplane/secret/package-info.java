/** Tests of the cluster port's parts; both ends together are tested in deploy/standalone. */
@NullMarked
package io.sigma.controlplane.secret;

import org.jspecify.annotations.NullMarked;

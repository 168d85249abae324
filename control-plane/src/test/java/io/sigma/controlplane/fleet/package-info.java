/** Tests of the fleet's parts; both ends of the protocol together are tested in e2e/in-process. */
@NullMarked
package io.sigma.controlplane.fleet;

import org.jspecify.annotations.NullMarked;

/** Tests of a whole control plane, and of how its packages depend on each other. */
@NullMarked
package io.sigma.controlplane;

import org.jspecify.annotations.NullMarked;

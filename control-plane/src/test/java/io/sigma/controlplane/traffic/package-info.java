/** Tests of how traffic adds up. */
@NullMarked
package io.sigma.controlplane.traffic;

import org.jspecify.annotations.NullMarked;

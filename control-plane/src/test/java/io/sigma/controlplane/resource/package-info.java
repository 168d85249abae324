/** Tests of what is checked before a write. */
@NullMarked
package io.sigma.controlplane.resource;

import org.jspecify.annotations.NullMarked;

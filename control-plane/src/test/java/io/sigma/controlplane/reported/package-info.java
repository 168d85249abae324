@NullMarked
package io.sigma.controlplane.reported;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.sigma.controlplane.access;

import org.jspecify.annotations.NullMarked;

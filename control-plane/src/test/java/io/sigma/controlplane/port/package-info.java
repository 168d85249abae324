@NullMarked
package io.sigma.controlplane.port;

import org.jspecify.annotations.NullMarked;

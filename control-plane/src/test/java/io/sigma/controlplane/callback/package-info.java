@NullMarked
package io.sigma.controlplane.callback;

import org.jspecify.annotations.NullMarked;

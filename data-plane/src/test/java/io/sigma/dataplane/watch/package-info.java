@NullMarked
package io.sigma.dataplane.watch;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.sigma.dataplane.engine.uring;

import org.jspecify.annotations.NullMarked;

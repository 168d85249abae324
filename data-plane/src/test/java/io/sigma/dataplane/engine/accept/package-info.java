@NullMarked
package io.sigma.dataplane.engine.accept;

import org.jspecify.annotations.NullMarked;

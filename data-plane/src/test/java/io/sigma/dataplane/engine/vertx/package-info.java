@NullMarked
package io.sigma.dataplane.engine.vertx;

import org.jspecify.annotations.NullMarked;

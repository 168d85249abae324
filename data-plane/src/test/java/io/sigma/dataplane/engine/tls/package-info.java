@NullMarked
package io.sigma.dataplane.engine.tls;

import org.jspecify.annotations.NullMarked;

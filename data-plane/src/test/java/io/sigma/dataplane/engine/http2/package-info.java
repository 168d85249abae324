@NullMarked
package io.sigma.dataplane.engine.http2;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.sigma.dataplane.upstream.pool;

import org.jspecify.annotations.NullMarked;

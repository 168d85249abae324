/** HTTP/1.1 on Netty: heads parsed where they lie, bodies passed on as they came. */
@NullMarked
package io.sigma.dataplane.engine.http1;

import org.jspecify.annotations.NullMarked;

/**
 * Bounds on what peers may hold. Start at {@link io.sigma.limit.ConnectionTable}. Any thread.
 */
@NullMarked
package io.sigma.limit;

import org.jspecify.annotations.NullMarked;

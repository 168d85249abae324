/**
 * The event loops that carry traffic, without the engine that drives them. What belongs to a loop is touched on it
 * only, so the request path has no locks. Start at {@link io.sigma.dataplane.loop.Loop}.
 */
@NullMarked
package io.sigma.dataplane.loop;

import org.jspecify.annotations.NullMarked;

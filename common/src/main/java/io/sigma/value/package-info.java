/**
 * The parsed forms of strings in the model: paths, hosts, node URLs, rewrites, media ranges, address ranges. What
 * admission checks and what a gateway runs is the same code, so nothing is accepted that a gateway would read in
 * another way. Start at {@link io.sigma.value.PathPattern}. Immutable; any thread.
 */
@NullMarked
package io.sigma.value;

import org.jspecify.annotations.NullMarked;

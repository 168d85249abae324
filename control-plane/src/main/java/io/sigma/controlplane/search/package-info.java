/**
 * Finds resources by what is in them, in memory. Start at {@link io.sigma.controlplane.search.SearchIndex}. Called on
 * the virtual threads of requests.
 */
@NullMarked
package io.sigma.controlplane.search;

import org.jspecify.annotations.NullMarked;

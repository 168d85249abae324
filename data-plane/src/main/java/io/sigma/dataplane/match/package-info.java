/**
 * Finds the route of a request: host, then path, then conditions, method and media types, in the order of {@code
 * docs/matching.md}. The cost does not depend on how many routes there are that cannot match. Start at {@link
 * io.sigma.dataplane.match.RouteTable}. Immutable; any thread.
 */
@NullMarked
package io.sigma.dataplane.match;

import org.jspecify.annotations.NullMarked;

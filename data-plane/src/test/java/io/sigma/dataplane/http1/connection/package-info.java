/**
 * Connections of HTTP/1.1 over real sockets: how they begin and end, and the requests that follow each other on one.
 * Start at {@link io.sigma.dataplane.http1.connection.FollowingRequestsTest}.
 */
@NullMarked
package io.sigma.dataplane.http1.connection;

import org.jspecify.annotations.NullMarked;

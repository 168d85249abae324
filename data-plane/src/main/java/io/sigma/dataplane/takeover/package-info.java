/**
 * Take-over: a new process of a gateway takes the place of the old one. It gets the listening sockets and the state of
 * the old process, over a socket in the data directory. Start at {@link io.sigma.dataplane.takeover.Takeover} for the
 * new process and at {@link io.sigma.dataplane.takeover.HandOverServer} for the old one. Blocking work runs on threads
 * of its own.
 */
@NullMarked
package io.sigma.dataplane.takeover;

import org.jspecify.annotations.NullMarked;

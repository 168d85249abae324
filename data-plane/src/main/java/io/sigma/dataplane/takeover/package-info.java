/**
 * One process of a gateway takes the place of another: it gets the sockets that listen and what the other one knows,
 * over a socket in the data directory. Start at {@link io.sigma.dataplane.takeover.Takeover} for the new process and at
 * {@link io.sigma.dataplane.takeover.HandOverServer} for the old one. What blocks runs on threads of its own.
 */
@NullMarked
package io.sigma.dataplane.takeover;

import org.jspecify.annotations.NullMarked;

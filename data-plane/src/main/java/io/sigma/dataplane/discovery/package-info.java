/**
 * Nodes that are found rather than configured. A module brings a way to find them by implementing
 * {@link io.sigma.dataplane.discovery.Discovery} and naming it in {@code META-INF/services}. Start at
 * {@link io.sigma.dataplane.discovery.Discoveries}. Each way runs on threads of its own.
 */
@NullMarked
package io.sigma.dataplane.discovery;

import org.jspecify.annotations.NullMarked;

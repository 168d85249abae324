/**
 * The log of events, shared by all control planes. Each control plane writes what it learns
 * ({@link io.sigma.controlplane.events.EventSources}) and reads all of it, so a client may continue at any of them.
 * Start at {@link io.sigma.controlplane.events.EventLog}. Writing and reading are confined to one event loop.
 */
@NullMarked
package io.sigma.controlplane.events;

import org.jspecify.annotations.NullMarked;

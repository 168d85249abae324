/**
 * The log of what happens, shared by all control planes: each tells it what it hears
 * ({@link io.sigma.controlplane.events.EventSources}), each reads all of it
 * ({@link io.sigma.controlplane.events.EventLog}), so a client goes on at any of them. Writing and reading are confined
 * to one event loop.
 */
@NullMarked
package io.sigma.controlplane.events;

import org.jspecify.annotations.NullMarked;

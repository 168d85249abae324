/**
 * The control plane: admin API, store, revisions, fleet. Start at {@link io.sigma.controlplane.ControlPlane}. Its parts
 * say themselves on which threads they run; nothing here blocks an event loop.
 */
@NullMarked
package io.sigma.controlplane;

import org.jspecify.annotations.NullMarked;

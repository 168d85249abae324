/**
 * The stream of server-sent events. Start at {@link io.sigma.controlplane.api.event.Events}. Confined to the verticle
 * of the server; a stream waits for the database on a virtual thread.
 */
@NullMarked
package io.sigma.controlplane.api.event;

import org.jspecify.annotations.NullMarked;

/**
 * Traffic of the gateways: reports are received, added up by slots of time in the database, and read. Start at {@link
 * io.sigma.controlplane.traffic.TrafficLog}. Writing is confined to one event loop; reading waits for nothing but
 * futures.
 */
@NullMarked
package io.sigma.controlplane.traffic;

import org.jspecify.annotations.NullMarked;

/**
 * Telemetry of a gateway: metrics, health, access log. Counters are found when a snapshot is compiled, so counting a
 * request is an addition. Start at {@link io.sigma.dataplane.telemetry.GatewayMetrics}. Thread-safe.
 */
@NullMarked
package io.sigma.dataplane.telemetry;

import org.jspecify.annotations.NullMarked;

package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;

/** Where a gateway serves metrics and health, and the bounds of what it counts. */
public record TelemetrySettings(
        @Setting(value = "Address that metrics and health are served on.", defaultValue = "127.0.0.1")
        String telemetryHost,

        @Setting(
                value = "Port that metrics and health are served on. 0 takes a free one.",
                defaultValue = "9100",
                min = 0,
                max = 65535)
        int telemetryPort,

        @Setting(
                value = "Number of routes, and of upstreams, with metrics of their own. All further routes or "
                        + "upstreams share the label other.",
                defaultValue = "2000",
                min = 1,
                max = 1000000)
        int metricSeriesMax,

        @Setting(
                value = "Number of busiest routes, and of busiest upstreams, whose traffic the gateway reports "
                        + "separately every five seconds. It reports the sum of the others.",
                defaultValue = "500",
                min = 1,
                max = 10_000)
        int trafficTopMax) {}

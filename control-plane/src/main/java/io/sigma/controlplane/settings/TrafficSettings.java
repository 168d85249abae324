package io.sigma.controlplane.settings;

import io.sigma.settings.Setting;

/** Limits of the kept traffic figures and states of nodes. */
public record TrafficSettings(
        @Setting(
                value = "Number of routes, and of upstreams, that a control plane counts separately at a time. It "
                        + "counts all further routes, and all further upstreams, together.",
                defaultValue = "2000",
                min = 10,
                max = 100_000)
        int trafficSeriesMax,

        @Setting(
                value = "Time for which traffic figures are kept in slots of five seconds, in minutes.",
                defaultValue = "60",
                min = 5,
                max = 1440)
        int trafficFineMinutes,

        @Setting(
                value = "Time for which traffic figures are kept in slots of a minute, in minutes.",
                defaultValue = "1440",
                min = 60,
                max = 44_640)
        int trafficMinutes,

        @Setting(
                value = "Time for which state changes of nodes are kept, in hours.",
                defaultValue = "168",
                min = 1,
                max = 8760)
        int nodeHistoryHours,

        @Setting(
                value = "Largest number of kept state changes of each node.",
                defaultValue = "200",
                min = 10,
                max = 10_000)
        int nodeHistoryMax) {}

package io.sigma.controlplane.settings;

import io.sigma.settings.Setting;

/** The port that gateways connect to, and what is expected of gateways. */
public record GatewayLinkSettings(
        @Setting(value = "Address that gateways connect to.", defaultValue = "0.0.0.0")
        String clusterHost,

        @Setting(
                value = "Port that gateways connect to. 0 takes a free one.",
                defaultValue = "9090",
                min = 0,
                max = 65535)
        int clusterPort,

        @Setting(
                value = "Largest number of connections of gateways to the cluster port. A further connection is "
                        + "closed at once.",
                defaultValue = "1000",
                min = 1,
                max = 100_000)
        int gatewayConnectionsMax,

        @Setting(
                value = "Time without a report after which a gateway is LOST, in milliseconds. A gateway reports "
                        + "every two seconds.",
                defaultValue = "10000",
                min = 3000,
                max = 3_600_000)
        int gatewayLostMillis,

        @Setting(
                value = "Time without a report after which a gateway is no longer listed, in minutes.",
                defaultValue = "1440",
                min = 1,
                max = 525_600)
        int gatewayForgetMinutes,

        @Setting(
                value = "Time for which a gateway's certificate is valid, in days. The gateway renews it when a "
                        + "third of that time is left.",
                defaultValue = "90",
                min = 1,
                max = 3650)
        int gatewayCertificateDays,

        @Setting(
                value = "Longest wait for the votes of gateways before a write commits, in milliseconds. With 0 "
                        + "gateways do not vote.",
                defaultValue = "2000",
                min = 0,
                max = 60_000)
        int gatewayVoteMillis,

        @Setting(
                value = "If true, a write fails if a live gateway does not vote in time. If false, the answer only "
                        + "reports that gateway.",
                defaultValue = "false")
        boolean gatewayVotesRequired,

        @Setting(
                value = "If true, the newest revision is rolled back automatically if gateways refuse it and no "
                        + "gateway serves it. If false, writes are answered 409 until a write fixes the revision.",
                defaultValue = "false")
        boolean gatewayRefusedRollBack) {}

package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;
import io.sigma.value.AddressGuard;
import java.util.List;

/** The addresses that connections may go to, and the ports of a control plane on the same machine. */
public record DestinationSettings(
        @Setting(
                value =
                        "Hosts, addresses and CIDR blocks, each with an optional port (10.0.0.0/8:443, [fd00::/8]:443), that connections are always allowed to: see docs/upstreams.md.",
                defaultValue = "")
        List<String> upstreamAllow,

        @Setting(
                value =
                        "Hosts, addresses and CIDR blocks, each with an optional port, that connections are refused to, unless upstreamAllow contains them.",
                defaultValue = "")
        List<String> upstreamDeny,

        @Setting(
                value = "Port of the admin API and the dashboard. 0 takes a free one.",
                defaultValue = "9080",
                min = 0,
                max = 65535)
        int adminPort,

        @Setting(
                value = "Port that gateways connect to. 0 takes a free one.",
                defaultValue = "9090",
                min = 0,
                max = 65535)
        int clusterPort) {

    public DestinationSettings {
        upstreamAllow = AddressGuard.checked("upstreamAllow", upstreamAllow);
        upstreamDeny = AddressGuard.checked("upstreamDeny", upstreamDeny);
    }
}

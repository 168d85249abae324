package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;
import org.jspecify.annotations.Nullable;

/** What holds for the listeners of every proxy server. */
public record ListenerSettings(
        @Setting("Address for proxy servers whose host is every address (0.0.0.0 or ::), for gateways that "
                + "share a machine. When absent, they listen on every address.")
        @Nullable
        String listenHost,

        @Setting(
                value = "Largest number of connections of one client address, or of one IPv6 /64. With 0, only the "
                        + "share of the address is the bound. Trusted proxies have no bound.",
                defaultValue = "0",
                min = 0,
                max = 1_000_000)
        int connectionsPerAddressMax,

        @Setting(
                value = "The cookie of the dashboard (sigma_session): drop removes it from requests and responses. "
                        + "pass forwards it, as a gateway in front of control planes needs it.",
                defaultValue = "drop")
        GatewaySettings.SessionCookies sessionCookie) {

    /** Returns whether requests and responses keep the cookie of the dashboard. */
    public boolean passesSessions() {
        return sessionCookie == GatewaySettings.SessionCookies.PASS;
    }
}

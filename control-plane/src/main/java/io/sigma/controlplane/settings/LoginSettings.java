package io.sigma.controlplane.settings;

import io.sigma.settings.Setting;
import org.jspecify.annotations.Nullable;

/** Users of the dashboard: the first one, wrong passwords and sessions. */
public record LoginSettings(
        @Setting(
                value = "Password of the user admin, which the first start creates. When absent, a password is "
                        + "generated and shown once, and the user must change it.",
                secret = true)
        @Nullable
        String adminPassword,

        @Setting(
                value = "Wrong tokens or passwords that an address, or an IPv6 /64, may send per minute. A further "
                        + "request with credentials is answered 429.",
                defaultValue = "30",
                min = 1,
                max = 100_000)
        int loginFailuresPerMinute,

        @Setting(
                value = "Wrong passwords that an address may send for one user per minute. Then its logins as that "
                        + "user are answered 429.",
                defaultValue = "10",
                min = 1,
                max = 100_000)
        int loginFailuresPerUserPerMinute,

        @Setting(
                value = "Time without a request after which a session of the dashboard ends, in minutes.",
                defaultValue = "60",
                min = 1,
                max = 10_080)
        int sessionIdleMinutes,

        @Setting(
                value = "Longest time that a session of the dashboard lasts, in hours.",
                defaultValue = "12",
                min = 1,
                max = 8760)
        int sessionHoursMax) {

    @Override
    public String toString() {
        return "LoginSettings[secrets=[redacted]]";
    }
}

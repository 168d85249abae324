package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;

/** The requests that a gateway sends itself before it serves. */
public record WarmUpSettings(
        @Setting(
                value = "Longest time of the warm-up, in milliseconds: before the first revision is served, the "
                        + "gateway sends itself made-up requests, so that its code is compiled when clients come. In "
                        + "a take-over 20 times as long, up to one minute, because the earlier process serves. 0 turns "
                        + "the warm-up off.",
                defaultValue = "1500",
                min = 0,
                max = 20000)
        int warmUpMillis,

        @Setting(
                value = "Number of made-up requests after which the warm-up ends, even if warmUpMillis are not over.",
                defaultValue = "30000",
                min = 1,
                max = 1000000)
        int warmUpRequestsMax) {}

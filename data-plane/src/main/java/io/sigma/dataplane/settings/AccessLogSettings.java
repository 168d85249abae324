package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;

/** The access log of a gateway. */
public record AccessLogSettings(
        @Setting(value = "Target of the access log: stdout, off, or the path of a file.", defaultValue = "stdout")
        String accessLog,

        @Setting(
                value = "Largest number of log records that wait to be written. Each takes half a KiB of memory. "
                        + "Further records are dropped and counted.",
                defaultValue = "65536",
                min = 16,
                max = 16777216)
        int accessLogQueueMax) {}

package io.sigma.standalone;

import io.sigma.settings.Setting;

/** Settings of the log, the same for every process. */
public record LogSettings(
        @Setting(
                value = "Lowest level that is logged to standard error. conf/logback.xml has the other options.",
                defaultValue = "info")
        LogLevel logLevel) {

    /** Severities, the most severe first. */
    public enum LogLevel {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }
}

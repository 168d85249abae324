package io.sigma.standalone;

import io.sigma.settings.Setting;

/** Settings of the log, the same for every process. */
public record LogSettings(
        @Setting(
                value = "Least severe lines that are logged to standard error; conf/logback.xml has the rest.",
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

package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;

/** The end of a gateway and of its listeners. */
public record StopSettings(
        @Setting(
                value = "Time for which a gateway still accepts connections after a signal to stop, while "
                        + "/health/ready answers 503, in milliseconds. A load balancer uses this time to remove the "
                        + "gateway.",
                defaultValue = "5000",
                min = 0,
                max = 600000)
        int stopDelayMillis,

        @Setting(
                value = "Longest time for running requests to end when a listener or the gateway closes, in "
                        + "milliseconds.",
                defaultValue = "10000",
                min = 0,
                max = 600000)
        int drainMillis) {

    /** Returns how long requests may go on once the gateway is told to stop, in milliseconds. */
    public int millis() {
        return stopDelayMillis + drainMillis;
    }
}

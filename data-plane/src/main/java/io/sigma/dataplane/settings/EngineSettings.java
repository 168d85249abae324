package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;

/** The event loops of a gateway, and what carries bytes on them. */
public record EngineSettings(
        @Setting(
                value = "Number of event loops that carry traffic. 0 stands for one per processor.",
                defaultValue = "0",
                min = 0,
                max = 1024)
        int eventLoops,

        @Setting(
                value = "Transport of sockets: io_uring, epoll, nio, or auto, which takes the first of these that "
                        + "the machine supports.",
                defaultValue = "auto")
        GatewaySettings.Transport transport,

        @Setting(
                value = "TLS engine: openssl, jdk, or auto, which takes openssl if its library loads, else jdk.",
                defaultValue = "auto")
        GatewaySettings.Tls tls) {

    /** Returns how many event loops carry traffic: as many as are set, or one per processor. */
    public int loops() {
        return eventLoops > 0 ? eventLoops : Runtime.getRuntime().availableProcessors();
    }
}

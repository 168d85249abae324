package io.sigma.dataplane.settings;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a gateway.
 *
 * @param telemetryHost address that metrics and health are served on
 * @param telemetryPort port that metrics and health are served on; 0 takes a free one
 * @param dataDir folder of the last good snapshot, the gateway's id and its certificate
 * @param gatewayId how this gateway is named, 1..64 of {@code [A-Za-z0-9._-]}; when absent the host name and a random
 *     suffix, kept in {@code dataDir}
 * @param controlPlanes {@code host[:port]} of the cluster ports of control planes, in order of preference; empty for a
 *     gateway that is fed otherwise
 * @param joinToken lets this gateway enroll with a control plane
 * @param configFile sigma.json file to serve instead of what a control plane says
 * @param eventLoops event loops that carry traffic; 0 takes one for each processor
 * @param transport how sockets are driven
 * @param accessLog {@code stdout}, {@code off}, or the path of a file
 * @param accessLogQueueMax records that wait to be written; further ones are shed and counted
 * @param drainMillis longest time that running exchanges are given when a listener or the gateway closes
 * @param metricSeriesMax routes and upstreams that have series of their own; further ones share the label {@code other}
 */
public record GatewaySettings(
        String telemetryHost,
        int telemetryPort,
        Path dataDir,
        @Nullable String gatewayId,
        List<String> controlPlanes,
        @Nullable String joinToken,
        @Nullable Path configFile,
        int eventLoops,
        Transport transport,
        String accessLog,
        int accessLogQueueMax,
        int drainMillis,
        int metricSeriesMax) {

    /** How sockets are driven. */
    public enum Transport {
        /** The first that this machine has of io_uring, epoll and NIO. */
        AUTO,
        IO_URING,
        EPOLL,
        NIO
    }

    public GatewaySettings {
        controlPlanes = List.copyOf(controlPlanes);
    }

    /** Returns the settings in which only the data folder is chosen; telemetry takes a free port on loopback. */
    public static GatewaySettings embedded(Path dataDir) {
        return new GatewaySettings(
                "127.0.0.1", 0, dataDir, null, List.of(), null, null, 0, Transport.AUTO, "off", 65_536, 10_000, 2_000);
    }

    @Override
    public String toString() {
        return "GatewaySettings[telemetry=" + telemetryHost + ":" + telemetryPort + ", dataDir=" + dataDir
                + ", gatewayId=" + gatewayId + ", controlPlanes=" + controlPlanes + ", joinToken="
                + (joinToken == null ? "absent" : "[redacted]") + ", configFile=" + configFile + ", eventLoops="
                + eventLoops + ", transport=" + transport + ", accessLog=" + accessLog + "]";
    }
}

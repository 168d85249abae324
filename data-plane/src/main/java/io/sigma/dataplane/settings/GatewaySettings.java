package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;
import io.sigma.value.AddressGuard;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of a gateway. */
public record GatewaySettings(
        @Setting(value = "Address that metrics and health are served on.", defaultValue = "127.0.0.1")
        String telemetryHost,

        @Setting(
                value = "Port that metrics and health are served on. 0 takes a free one.",
                defaultValue = "9100",
                min = 0,
                max = 65535)
        int telemetryPort,

        @Setting(
                value = "Folder for the data of a process: generated secrets, snapshots, the embedded database.",
                defaultValue = "./.sigma")
        Path dataDir,

        @Setting("Name of this gateway. The default is the host name with a random suffix, stored in dataDir.")
        @Nullable
        String gatewayId,

        @Setting(
                value = "Cluster ports of control planes, host[:port] (default port 9090), in order of preference.",
                defaultValue = "")
        List<String> controlPlanes,

        @Setting(
                value = "Token with which a gateway enrolls, at least 16 characters. When absent, it is generated "
                        + "once and stored in dataDir.",
                secret = true)
        @Nullable
        String joinToken,

        @Setting("Address for proxy servers whose host is every address (0.0.0.0 or ::), for gateways that "
                + "share a machine. When absent, they listen on every address.")
        @Nullable
        String listenHost,

        @Setting("File in the sigma.json format to serve, instead of control planes.") @Nullable
        Path configFile,

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
        Transport transport,

        @Setting(
                value = "TLS engine: openssl, jdk, or auto, which takes openssl if its library loads, else jdk.",
                defaultValue = "auto")
        Tls tls,

        @Setting(value = "Target of the access log: stdout, off, or the path of a file.", defaultValue = "stdout")
        String accessLog,

        @Setting(
                value = "Largest number of log records that wait to be written. Each takes half a KiB of memory. "
                        + "Further records are dropped and counted.",
                defaultValue = "65536",
                min = 16,
                max = 16777216)
        int accessLogQueueMax,

        @Setting(
                value = "Memory for data that clients and nodes have sent and the gateway has not passed on yet, and "
                        + "for data that they have not read yet, in bytes. 0 stands for a quarter of heap or direct "
                        + "memory, whichever is smaller.",
                defaultValue = "0",
                min = 0)
        long heldBytesMax,

        @Setting(
                value = "Largest number of bytes of responses that wait for slow clients on the disk, under dataDir, "
                        + "so that nodes need not wait. 0 turns this off.",
                defaultValue = "1073741824",
                min = 0)
        long spoolBytesMax,

        @Setting(
                value = "Largest number of bytes of one response that wait on the disk for its client.",
                defaultValue = "67108864",
                min = 0)
        long spoolResponseBytesMax,

        @Setting(
                value = "Longest time for running requests to end when a listener or the gateway closes, in "
                        + "milliseconds.",
                defaultValue = "10000",
                min = 0,
                max = 600000)
        int drainMillis,

        @Setting(
                value = "Time for which a gateway still accepts connections after a signal to stop, while "
                        + "/health/ready answers 503, in milliseconds. A load balancer uses this time to remove the "
                        + "gateway.",
                defaultValue = "5000",
                min = 0,
                max = 600000)
        int stopDelayMillis,

        @Setting(
                value = "Longest time of the warm-up, in milliseconds: before the first revision is served, the "
                        + "gateway sends itself made-up requests, so that its code is compiled when clients come. 0 "
                        + "turns the warm-up off.",
                defaultValue = "1500",
                min = 0,
                max = 20000)
        int warmUpMillis,

        @Setting(
                value = "Number of made-up requests after which the warm-up ends, even if warmUpMillis are not over.",
                defaultValue = "30000",
                min = 1,
                max = 1000000)
        int warmUpRequestsMax,

        @Setting(
                value = "Interval of the check for changed files of the configuration, such as certificates, in "
                        + "milliseconds.",
                defaultValue = "1000",
                min = 100,
                max = 60000)
        int filePollMillis,

        @Setting(
                value = "Number of routes, and of upstreams, with metrics of their own. All further routes or "
                        + "upstreams share the label other.",
                defaultValue = "2000",
                min = 1,
                max = 1000000)
        int metricSeriesMax,

        @Setting(
                value = "Number of busiest routes, and of busiest upstreams, whose traffic the gateway reports "
                        + "separately every five seconds. It reports the sum of the others.",
                defaultValue = "500",
                min = 1,
                max = 10_000)
        int trafficTopMax,

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
        int clusterPort,

        @Setting(
                value = "Largest number of connections of one client address, or of one IPv6 /64. With 0, only the "
                        + "share of the address is the bound. Trusted proxies have no bound.",
                defaultValue = "0",
                min = 0,
                max = 1_000_000)
        int connectionsPerAddressMax,

        @Setting(
                value = "Folders from which the configuration may serve files (rootPath), besides files in dataDir. "
                        + "With configFile and without this setting, the configuration may use all folders outside "
                        + "dataDir.",
                defaultValue = "")
        List<String> servedFolders,

        @Setting(
                value = "Folders to which the configuration may write access logs (accessLog.path), besides logs in "
                        + "dataDir. With configFile and without this setting, the configuration may use all folders "
                        + "outside dataDir.",
                defaultValue = "")
        List<String> logFolders,

        @Setting(
                value = "Folders from which the configuration may read certificates, keys and secrets (certPath, "
                        + "keyPath, caPath, secretPath), besides files in dataDir. With configFile and without this "
                        + "setting, the configuration may use all folders outside dataDir.",
                defaultValue = "")
        List<String> readFolders,

        @Setting(
                value = "The cookie of the dashboard (sigma_session): drop removes it from requests and responses. "
                        + "pass forwards it, as a gateway in front of control planes needs it.",
                defaultValue = "drop")
        SessionCookies sessionCookie) {

    /** The transport of sockets. */
    public enum Transport {
        /** The first that this machine has of io_uring, epoll and NIO. */
        AUTO,
        IO_URING,
        EPOLL,
        NIO
    }

    /** The TLS engine of connections. */
    public enum Tls {
        /** OpenSSL where its library loads, else the JDK. */
        AUTO,
        OPENSSL,
        JDK
    }

    /** The handling of the dashboard's session cookie in requests and responses. */
    public enum SessionCookies {
        /** No node gets or sets it. */
        DROP,
        /** The nodes are control planes. */
        PASS
    }

    public GatewaySettings {
        controlPlanes = List.copyOf(controlPlanes);
        upstreamAllow = AddressGuard.checked("upstreamAllow", upstreamAllow);
        upstreamDeny = AddressGuard.checked("upstreamDeny", upstreamDeny);
        servedFolders = List.copyOf(servedFolders);
        logFolders = List.copyOf(logFolders);
        readFolders = List.copyOf(readFolders);
    }

    /** Returns how long requests may go on once the gateway is told to stop, in milliseconds. */
    public int stopMillis() {
        return stopDelayMillis + drainMillis;
    }

    /**
     * Returns the settings in which only the data folder is chosen; telemetry takes a free port on loopback, and there
     * is no warm-up.
     */
    public static GatewaySettings embedded(Path dataDir) {
        return new GatewaySettings(
                "127.0.0.1",
                0,
                dataDir,
                null,
                List.of(),
                null,
                null,
                null,
                0,
                Transport.AUTO,
                Tls.AUTO,
                "off",
                65_536,
                0,
                1L << 30,
                64L << 20,
                10_000,
                0,
                0,
                1,
                1_000,
                2_000,
                500,
                List.of(),
                List.of(),
                0,
                0,
                0,
                List.of(),
                List.of(),
                List.of(),
                SessionCookies.DROP);
    }

    @Override
    public String toString() {
        return "GatewaySettings[telemetry=" + telemetryHost + ":" + telemetryPort + ", dataDir=" + dataDir
                + ", gatewayId=" + gatewayId + ", controlPlanes=" + controlPlanes + ", joinToken="
                + (joinToken == null ? "absent" : "[redacted]") + ", configFile=" + configFile + ", eventLoops="
                + eventLoops + ", transport=" + transport + ", accessLog=" + accessLog + "]";
    }
}

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
                value = "Port that metrics and health are served on; 0 takes a free one.",
                defaultValue = "9100",
                min = 0,
                max = 65535)
        int telemetryPort,

        @Setting(
                value = "Folder of what a process keeps: generated secrets, snapshots, the embedded database.",
                defaultValue = "./.sigma")
        Path dataDir,

        @Setting("Name of this gateway; when absent the host name and a random suffix, kept in dataDir.") @Nullable
        String gatewayId,

        @Setting(
                value = "Cluster ports of control planes, host[:port] (default port 9090), in order of preference.",
                defaultValue = "")
        List<String> controlPlanes,

        @Setting(
                value = "Lets a gateway enroll, at least 16 characters; when absent it is generated once and kept in "
                        + "dataDir.",
                secret = true)
        @Nullable
        String joinToken,

        @Setting(
                "Address that proxy servers listen on that ask for every address (0.0.0.0 or ::), for gateways that share a "
                        + "machine; absent: every address.")
        @Nullable
        String listenHost,

        @Setting("File in the sigma.json format to serve instead of what a control plane says.") @Nullable
        Path configFile,

        @Setting(
                value = "Event loops that carry traffic; 0 takes one for each processor.",
                defaultValue = "0",
                min = 0,
                max = 1024)
        int eventLoops,

        @Setting(
                value =
                        "How sockets are driven: auto (the first that the machine has of the following), io_uring, epoll "
                                + "or nio.",
                defaultValue = "auto")
        Transport transport,

        @Setting(
                value = "What encrypts connections: openssl, jdk, or auto: openssl where its library loads, else jdk.",
                defaultValue = "auto")
        Tls tls,

        @Setting(value = "Where requests are logged: stdout, off, or the path of a file.", defaultValue = "stdout")
        String accessLog,

        @Setting(
                value =
                        "Log records that wait to be written, and half a KiB for each; further ones are shed and counted.",
                defaultValue = "65536",
                min = 16,
                max = 16777216)
        int accessLogQueueMax,

        @Setting(
                value =
                        "Memory that may be held for clients and nodes, of what they sent and nobody has taken yet and what they "
                                + "have not read, in bytes; 0 takes a quarter of the smaller one of heap and direct memory.",
                defaultValue = "0",
                min = 0)
        long heldBytesMax,

        @Setting(
                value =
                        "What of responses may wait on the disk, under dataDir, for clients that read slowly, so that nodes need not "
                                + "wait, in bytes; 0 keeps nothing there.",
                defaultValue = "1073741824",
                min = 0)
        long spoolBytesMax,

        @Setting(
                value = "What of one response may wait on the disk for its client, in bytes.",
                defaultValue = "67108864",
                min = 0)
        long spoolResponseBytesMax,

        @Setting(
                value = "Longest time that running requests are given when a listener or the gateway closes, in "
                        + "milliseconds.",
                defaultValue = "10000",
                min = 0,
                max = 600000)
        int drainMillis,

        @Setting(
                value =
                        "How long a gateway that is told to stop goes on accepting while /health/ready says 503, so that "
                                + "whoever balances sees it and sends no more, in milliseconds.",
                defaultValue = "5000",
                min = 0,
                max = 600000)
        int stopDelayMillis,

        @Setting(
                value =
                        "How often files that the configuration names, such as certificates, are looked at for a change, in "
                                + "milliseconds.",
                defaultValue = "1000",
                min = 100,
                max = 60000)
        int filePollMillis,

        @Setting(
                value = "Routes, and upstreams, that have metrics of their own; further ones share the label other.",
                defaultValue = "2000",
                min = 1,
                max = 1000000)
        int metricSeriesMax,

        @Setting(
                value =
                        "Routes, and upstreams, whose traffic control planes are told every five seconds; the busiest, the "
                                + "rest is told as one.",
                defaultValue = "500",
                min = 1,
                max = 10_000)
        int trafficTopMax,

        @Setting(
                value =
                        "Hosts, addresses and CIDR blocks, each with an optional port (10.0.0.0/8:443, [fd00::/8]:443), that may be "
                                + "connected to whatever they are: see docs/upstreams.md.",
                defaultValue = "")
        List<String> upstreamAllow,

        @Setting(
                value =
                        "Hosts, addresses and CIDR blocks, each with an optional port, that are not connected to unless upstreamAllow "
                                + "has them.",
                defaultValue = "")
        List<String> upstreamDeny,

        @Setting(
                value = "Port of the admin API and the dashboard; 0 takes a free one.",
                defaultValue = "9080",
                min = 0,
                max = 65535)
        int adminPort,

        @Setting(
                value = "Port that gateways connect to; 0 takes a free one.",
                defaultValue = "9090",
                min = 0,
                max = 65535)
        int clusterPort,

        @Setting(
                value =
                        "Connections that one client address has at most, IPv6 by its /64; 0: as many as its share allows. Trusted proxies "
                                + "have no bound.",
                defaultValue = "0",
                min = 0,
                max = 1_000_000)
        int connectionsPerAddressMax,

        @Setting(
                value =
                        "Folders that the configuration may serve files from (rootPath), besides files in dataDir; with configFile "
                                + "and without this any, dataDir aside.",
                defaultValue = "")
        List<String> servedFolders,

        @Setting(
                value =
                        "Folders that the configuration may have access logs written to (accessLog.path), besides logs in "
                                + "dataDir; with configFile and without this any, dataDir aside.",
                defaultValue = "")
        List<String> logFolders,

        @Setting(
                value =
                        "Folders that the configuration may read certificates, keys and secrets from (certPath, keyPath, caPath, "
                                + "secretPath), besides files in dataDir; with configFile and without this any, dataDir aside.",
                defaultValue = "")
        List<String> readFolders) {

    /** How sockets are driven. */
    public enum Transport {
        /** The first that this machine has of io_uring, epoll and NIO. */
        AUTO,
        IO_URING,
        EPOLL,
        NIO
    }

    /** What encrypts connections. */
    public enum Tls {
        /** OpenSSL where its library loads, else the JDK. */
        AUTO,
        OPENSSL,
        JDK
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

    /** Returns the settings in which only the data folder is chosen; telemetry takes a free port on loopback. */
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
                List.of());
    }

    @Override
    public String toString() {
        return "GatewaySettings[telemetry=" + telemetryHost + ":" + telemetryPort + ", dataDir=" + dataDir
                + ", gatewayId=" + gatewayId + ", controlPlanes=" + controlPlanes + ", joinToken="
                + (joinToken == null ? "absent" : "[redacted]") + ", configFile=" + configFile + ", eventLoops="
                + eventLoops + ", transport=" + transport + ", accessLog=" + accessLog + "]";
    }
}

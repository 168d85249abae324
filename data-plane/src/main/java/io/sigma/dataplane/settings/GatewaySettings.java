package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;
import io.sigma.settings.SettingsReader;
import java.nio.file.Path;
import java.util.Map;

/** Settings of a gateway. */
public record GatewaySettings(
        @Setting(
                value = "Folder for the data of a process: generated secrets, snapshots, the embedded database.",
                defaultValue = "./.sigma")
        Path dataDir,

        ControlPlaneLinkSettings link,
        FileSettings files,
        EngineSettings engine,
        ListenerSettings listeners,
        MemorySettings memory,
        AccessLogSettings accessLogs,
        StopSettings stop,
        WarmUpSettings warmUp,
        TelemetrySettings telemetry,
        DestinationSettings destinations) {

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

    /**
     * Returns the settings in which only the data folder is chosen; telemetry takes a free port on loopback, and there
     * is no access log, no warm-up and no delay before a stop.
     */
    public static GatewaySettings embedded(Path dataDir) {
        Map<String, String> variables = Map.of(
                "SIGMA_DATA_DIR", dataDir.toString(),
                "SIGMA_TELEMETRY_PORT", "0",
                "SIGMA_ACCESS_LOG", "off",
                "SIGMA_STOP_DELAY_MILLIS", "0",
                "SIGMA_WARM_UP_MILLIS", "0");
        return SettingsReader.of(variables, null).read(GatewaySettings.class);
    }

    @Override
    public String toString() {
        return "GatewaySettings[telemetry=" + telemetry.telemetryHost() + ":" + telemetry.telemetryPort() + ", dataDir="
                + dataDir + ", link=" + link + ", configFile=" + files.configFile() + ", eventLoops="
                + engine.eventLoops() + ", transport=" + engine.transport() + ", accessLog=" + accessLogs.accessLog()
                + "]";
    }
}

package io.sigma.dataplane.testkit;

import io.sigma.dataplane.settings.AccessLogSettings;
import io.sigma.dataplane.settings.ControlPlaneLinkSettings;
import io.sigma.dataplane.settings.DestinationSettings;
import io.sigma.dataplane.settings.EngineSettings;
import io.sigma.dataplane.settings.FileSettings;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.settings.ListenerSettings;
import io.sigma.dataplane.settings.MemorySettings;
import io.sigma.dataplane.settings.StopSettings;
import io.sigma.dataplane.settings.TelemetrySettings;
import io.sigma.dataplane.settings.WarmUpSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds settings for tests. */
public final class TestSettings {

    /** Every test that is not about one of them runs with each: {@code -Dsigma.test.tls=jdk} chooses the other. */
    private static final GatewaySettings.Tls TLS = GatewaySettings.Tls.valueOf(
            System.getProperty("sigma.test.tls", "openssl").toUpperCase(Locale.ROOT));

    private final Path dataDir;
    private @Nullable Path configFile;
    private int loops = 2;
    private String accessLog = "off";
    private int accessLogQueueMax = 1024;
    private GatewaySettings.Tls tls = TLS;
    private long heldBytesMax;
    private long spoolBytesMax = 1L << 30;
    private int drainMillis = 2_000;
    private int stopDelayMillis;
    private int warmUpMillis;
    private int warmUpRequestsMax = 1;
    private int metricSeriesMax = 100;
    private int connectionsPerAddressMax;

    private List<String> upstreamAllow = List.of();
    private List<String> upstreamDeny = List.of();

    private GatewaySettings.SessionCookies sessionCookie = GatewaySettings.SessionCookies.DROP;

    /** Tests name files in the temporary folder, in which the data folder is. */
    private List<String> folders = List.of(System.getProperty("java.io.tmpdir"));

    private TestSettings(Path dataDir) {
        this.dataDir = dataDir;
    }

    public static TestSettings of(Path dataDir) {
        return new TestSettings(dataDir);
    }

    public TestSettings configFile(Path file) {
        configFile = file;
        return this;
    }

    public TestSettings loops(int count) {
        loops = count;
        return this;
    }

    public TestSettings accessLog(String destination, int queueMax) {
        accessLog = destination;
        accessLogQueueMax = queueMax;
        return this;
    }

    public TestSettings tls(GatewaySettings.Tls engine) {
        tls = engine;
        return this;
    }

    public TestSettings heldBytesMax(long bytes) {
        heldBytesMax = bytes;
        return this;
    }

    public TestSettings spoolBytesMax(long bytes) {
        spoolBytesMax = bytes;
        return this;
    }

    public TestSettings drainMillis(int millis) {
        drainMillis = millis;
        return this;
    }

    public TestSettings stopDelayMillis(int millis) {
        stopDelayMillis = millis;
        return this;
    }

    /** Has the gateway serve made-up requests first. */
    public TestSettings warmUp(int millis, int requestsMax) {
        warmUpMillis = millis;
        warmUpRequestsMax = requestsMax;
        return this;
    }

    public TestSettings metricSeriesMax(int max) {
        metricSeriesMax = max;
        return this;
    }

    TestSettings upstreamAllow(String... allow) {
        upstreamAllow = List.of(allow);
        return this;
    }

    public TestSettings upstreamDeny(String... deny) {
        upstreamDeny = List.of(deny);
        return this;
    }

    public TestSettings connectionsPerAddressMax(int max) {
        connectionsPerAddressMax = max;
        return this;
    }

    /** Says that nodes are control planes. */
    public TestSettings passSessions() {
        sessionCookie = GatewaySettings.SessionCookies.PASS;
        return this;
    }

    /** Says what the configuration may reach on the disk. */
    public TestSettings folders(Path... open) {
        folders = Stream.of(open).map(Path::toString).toList();
        return this;
    }

    public GatewaySettings build() {
        return new GatewaySettings(
                dataDir,
                new ControlPlaneLinkSettings("test-gateway", List.of(), null),
                new FileSettings(configFile, 100, folders, folders, folders),
                new EngineSettings(loops, GatewaySettings.Transport.NIO, tls),
                new ListenerSettings(null, connectionsPerAddressMax, sessionCookie),
                new MemorySettings(heldBytesMax, spoolBytesMax, 64L << 20),
                new AccessLogSettings(accessLog, accessLogQueueMax),
                new StopSettings(stopDelayMillis, drainMillis),
                new WarmUpSettings(warmUpMillis, warmUpRequestsMax),
                new TelemetrySettings("127.0.0.1", 0, metricSeriesMax, 500),
                new DestinationSettings(upstreamAllow, upstreamDeny, 0, 0));
    }
}

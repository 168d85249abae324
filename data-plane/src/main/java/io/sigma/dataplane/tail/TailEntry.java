package io.sigma.dataplane.tail;

import io.sigma.dataplane.loop.WallClock;
import io.sigma.model.LastRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request of the tail. The object is filled again for later requests and refers to existing texts, so that nothing is
 * allocated. Of a long text it has a copy of the beginning. Call all methods with parameters before the entry is kept.
 * Confined to the event loop, except where {@link TailRing} says otherwise.
 */
public final class TailEntry {

    static final int PATH_MAX = 256;
    static final int TEXT_MAX = 128;

    private static final long MICRO_NANOS = 1_000;

    String proxyServer = "";

    @Nullable
    String router;

    @Nullable
    String route;

    @Nullable
    String proxyPass;

    @Nullable
    String upstream;

    @Nullable
    String node;

    String protocol = "";
    String method = "";
    String host = "";
    String path = "";
    String clientAddress = "";

    @Nullable
    String error;

    int status;
    int attempts;
    boolean failed;
    long bytesIn;
    long bytesOut;
    long epochMillis;
    long durationNanos;
    long revision;

    /** The number of the request on its loop. */
    long serial;

    /** Sets what was chosen, as far as it came. */
    public void chosen(
            String proxyServer,
            @Nullable String router,
            @Nullable String route,
            @Nullable String proxyPass,
            @Nullable String upstream,
            @Nullable String node) {
        this.proxyServer = proxyServer;
        this.router = router;
        this.route = route;
        this.proxyPass = proxyPass;
        this.upstream = upstream;
        this.node = node;
    }

    /**
     * Sets what was asked for.
     *
     * @param path without its query, into which clients put what nobody else is to read
     * @param clientAddress seen through the proxies that are trusted
     */
    public void request(String protocol, String method, String host, String path, String clientAddress, long revision) {
        this.protocol = protocol;
        this.method = method;
        this.host = host;
        this.path = path;
        this.clientAddress = clientAddress;
        this.revision = revision;
    }

    /**
     * Sets what became of it.
     *
     * @param status 0 for none
     * @param error as the access log names it; null for none
     */
    public void response(int status, int attempts, long bytesIn, long bytesOut, @Nullable String error) {
        this.status = status;
        this.attempts = attempts;
        this.bytesIn = bytesIn;
        this.bytesOut = bytesOut;
        this.error = error;
    }

    /** Sets the rest; {@code start} and {@code now} are by {@link System#nanoTime()}. */
    void over(boolean hasFailed, long ofSerial, WallClock clock, long start, long now) {
        this.failed = hasFailed;
        this.serial = ofSerial;
        this.epochMillis = clock.epochMillis(start, now);
        this.durationNanos = now - start;
    }

    /** Takes over everything from {@code other}, and of long texts only the beginning. */
    void set(TailEntry other) {
        chosen(
                cut(other.proxyServer, TEXT_MAX),
                other.router,
                other.route,
                other.proxyPass,
                other.upstream,
                other.node == null ? null : cut(other.node, TEXT_MAX));
        request(
                other.protocol,
                cut(other.method, TEXT_MAX),
                cut(other.host, TEXT_MAX),
                cut(other.path, PATH_MAX),
                other.clientAddress,
                other.revision);
        response(other.status, other.attempts, other.bytesIn, other.bytesOut, other.error);
        failed = other.failed;
        serial = other.serial;
        epochMillis = other.epochMillis;
        durationNanos = other.durationNanos;
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length);
    }

    /** @param run tells the requests of this process from those of another one */
    LastRequest view(String gatewayId, String run, int loop) {
        return LastRequest.builder()
                .id(run + "-" + loop + "-" + serial)
                .at(Instant.ofEpochMilli(epochMillis))
                .gatewayId(gatewayId)
                .proxyServerId(proxyServer)
                .routerId(router)
                .routeId(route)
                .proxyPassId(proxyPass)
                .upstreamId(upstream)
                .node(node)
                .protocol(protocol)
                .method(method)
                .host(host)
                .path(path)
                .status(status)
                .durationMicros(durationNanos / MICRO_NANOS)
                .bytesIn(bytesIn)
                .bytesOut(bytesOut)
                .attempts(attempts)
                .clientAddress(clientAddress)
                .error(error)
                .revision(revision)
                .build();
    }
}

package io.sigma.dataplane.telemetry;

import io.sigma.dataplane.loop.WallClock;
import org.jspecify.annotations.Nullable;

/**
 * The access log's record of a request. Each event loop has one object, filled again for each request: call all of the
 * methods below before it is written. A text that is set already is not set again, because the garbage collector fences
 * each write of a reference. Confined to the event loop.
 */
@SuppressWarnings("ReferenceEquality")
public final class AccessRecord {

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

    @Nullable
    String query;

    @Nullable
    String referer;

    @Nullable
    String userAgent;

    int status;
    int attempts;
    long bytesIn;
    long bytesOut;

    @Nullable
    String error;

    long epochMillis;
    long totalNanos;
    long connectNanos;
    long firstByteNanos;
    String remoteAddress = "";
    int remotePort;
    String clientAddress = "";

    @Nullable
    String clientSubject;

    @Nullable
    String clientVerify;

    @Nullable
    String consumer;

    @Nullable
    String requestId;

    /** The end of a connection without HTTP; null for a request. */
    @Nullable
    String end;

    long revision;
    /** The status of the answer in terms of a protocol that is none of HTTP; -1 where there is none. */
    int rpcStatus = -1;

    /** Of a session of datagrams; -1 for anything else. */
    long datagramsIn = -1;

    long datagramsOut = -1;

    private final WallClock clock;

    AccessRecord(WallClock clock) {
        this.clock = clock;
    }

    /**
     * Sets what was chosen, as far as it came. Texts that are the same objects for many requests are written faster.
     */
    public void chosen(
            String proxyServer,
            @Nullable String router,
            @Nullable String route,
            @Nullable String proxyPass,
            @Nullable String upstream,
            @Nullable String node) {
        if (this.proxyServer != proxyServer) {
            this.proxyServer = proxyServer;
        }
        if (this.router != router) {
            this.router = router;
        }
        if (this.route != route) {
            this.route = route;
        }
        if (this.proxyPass != proxyPass) {
            this.proxyPass = proxyPass;
        }
        if (this.upstream != upstream) {
            this.upstream = upstream;
        }
        if (this.node != node) {
            this.node = node;
        }
    }

    /**
     * Sets what was asked for.
     *
     * @param query that the node received; not in JSON, because clients put into it what nobody else is to read
     * @param referer not in JSON either
     */
    public void request(
            String protocol,
            String method,
            String host,
            String path,
            @Nullable String query,
            @Nullable String referer,
            @Nullable String userAgent) {
        if (this.protocol != protocol) {
            this.protocol = protocol;
        }
        if (this.method != method) {
            this.method = method;
        }
        if (this.host != host) {
            this.host = host;
        }
        if (this.path != path) {
            this.path = path;
        }
        if (this.query != query) {
            this.query = query;
        }
        if (this.referer != referer) {
            this.referer = referer;
        }
        if (this.userAgent != userAgent) {
            this.userAgent = userAgent;
        }
    }

    /**
     * Sets what became of it.
     *
     * @param attempts how many times a node was chosen
     */
    public void response(int status, int attempts, long bytesIn, long bytesOut, @Nullable String error) {
        this.status = status;
        this.attempts = attempts;
        this.bytesIn = bytesIn;
        this.bytesOut = bytesOut;
        if (this.error != error) {
            this.error = error;
        }
    }

    /**
     * Sets the times, all by {@link System#nanoTime()}.
     *
     * @param start when the head of the request was complete
     * @param connected when a connection to a node was there, 0 when none was
     * @param firstByte when the head of the node's response was there, 0 when it never was
     * @param end of the response, just now
     */
    public void times(long start, long connected, long firstByte, long end) {
        this.epochMillis = clock.epochMillis(start, end);
        this.totalNanos = end - start;
        this.connectNanos = connected == 0 ? 0 : connected - start;
        this.firstByteNanos = firstByte == 0 ? 0 : firstByte - start;
    }

    /**
     * Sets who asked.
     *
     * @param clientAddress seen through the proxies that are trusted
     * @param clientSubject of the certificate that the client showed; null for none
     * @param clientVerify what became of asking for a certificate: SUCCESS or NONE; null where none was asked for
     */
    public void client(
            String remoteAddress,
            int remotePort,
            String clientAddress,
            @Nullable String clientSubject,
            @Nullable String clientVerify) {
        if (this.remoteAddress != remoteAddress) {
            this.remoteAddress = remoteAddress;
        }
        this.remotePort = remotePort;
        if (this.clientAddress != clientAddress) {
            this.clientAddress = clientAddress;
        }
        if (this.clientSubject != clientSubject) {
            this.clientSubject = clientSubject;
        }
        if (this.clientVerify != clientVerify) {
            this.clientVerify = clientVerify;
        }
    }

    /**
     * Sets what a connection has that is none of HTTP.
     *
     * @param ended how it ended; null for a request
     * @param ofRevision that it began with
     */
    public void stream(@Nullable String ended, long ofRevision) {
        if (this.end != ended) {
            this.end = ended;
        }
        this.revision = ofRevision;
        this.rpcStatus = -1;
    }

    /**
     * Sets what a request has that came in a frame, after {@link #stream}.
     *
     * @param answerStatus in terms of its protocol; -1 for none
     */
    public void rpc(int answerStatus) {
        this.rpcStatus = answerStatus;
    }

    /** Sets how many datagrams a session passed on, which are -1 for anything else. */
    public void datagrams(long in, long out) {
        this.datagramsIn = in;
        this.datagramsOut = out;
    }

    /** Sets what filters know of the request. */
    public void identity(@Nullable String consumer, @Nullable String requestId) {
        if (this.consumer != consumer) {
            this.consumer = consumer;
        }
        if (this.requestId != requestId) {
            this.requestId = requestId;
        }
    }
}

package io.sigma.controlplane.api.event;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.TimeUnit;

/**
 * A response of server-sent events (HTML standard §9.2). Nothing is buffered for a slow client but what fits the queue
 * of its connection. Confined to the server's verticle.
 */
final class SseResponse {

    static final long STALLED_SECONDS_MAX = 60;

    private static final int QUEUE_BYTES_MAX = 64 * 1024;
    private static final String HEARTBEAT = ": heartbeat\n\n";

    /** The time that a browser waits before it connects again. */
    private static final String RETRY = "retry: 1000\n";

    private final HttpServerResponse response;
    private long stalledSince;

    SseResponse(HttpServerResponse response) {
        this.response = response;
    }

    /**
     * Sends the head at once, so that the client knows that it is connected even when there is nothing to tell.
     *
     * @param drained is called when there is room again
     */
    void start(Runnable drained) {
        if (!response.headWritten()) {
            response.setChunked(true)
                    .setWriteQueueMaxSize(QUEUE_BYTES_MAX)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            response.drainHandler(nothing -> drained.run());
            response.write(RETRY + HEARTBEAT);
        }
    }

    void write(String text) {
        response.write(text);
    }

    boolean isFull() {
        return response.writeQueueFull();
    }

    boolean isClosed() {
        return response.closed();
    }

    /** To be called now and then: ends a connection on which nothing is read. */
    void beat() {
        if (!response.headWritten()) {
            return;
        }
        if (!response.writeQueueFull()) {
            stalledSince = 0;
            response.write(HEARTBEAT);
        } else if (stalledSince == 0) {
            stalledSince = System.nanoTime();
        } else if (System.nanoTime() - stalledSince > TimeUnit.SECONDS.toNanos(STALLED_SECONDS_MAX)) {
            response.reset();
        }
    }

    void reset() {
        response.reset();
    }

    void end() {
        if (!response.closed() && response.headWritten()) {
            response.end();
        }
    }
}

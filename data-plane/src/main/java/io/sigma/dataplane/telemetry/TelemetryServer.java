package io.sigma.dataplane.telemetry;

import io.sigma.dataplane.exchange.rule.HttpDate;
import io.sigma.dataplane.loop.Scheduling;
import io.sigma.limit.AddressBlock;
import io.sigma.limit.ConnectionTable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;

/**
 * Serves {@code /metrics}, {@code /health/live} and {@code /health/ready}. Whoever reaches the port gets no more than
 * its share: connections, the time of a head, and answers that nobody reads are bounded. Runs on an event loop of its
 * own choosing.
 */
public final class TelemetryServer {

    static final int CONNECTIONS_MAX = 256;
    static final int OF_ADDRESS_MAX = 32;
    private static final int IDLE_SECONDS = 60;
    private static final int HEAD_SECONDS = 10;

    /** Texts of metrics that are made or not read yet; each may take some MB. */
    private static final int SCRAPES_MAX = 4;

    /** In which a client reads its answer. */
    private static final int ANSWER_SECONDS = 15;

    private final Vertx vertx;
    private final HttpServer server;
    private final GatewayMetrics metrics;
    private final Readiness readiness;
    private final ConnectionTable<HttpConnection> connections = new ConnectionTable<>(CONNECTIONS_MAX, OF_ADDRESS_MAX);

    // Confined to the server's event loop.
    private final Map<HttpConnection, Long> timers = new HashMap<>();
    private int scrapes;

    private TelemetryServer(Vertx vertx, GatewayMetrics metrics, Readiness readiness) {
        this.vertx = vertx;
        this.metrics = metrics;
        this.readiness = readiness;
        // With HTTP/2 a connection would not be reported before its first bytes.
        this.server = vertx.createHttpServer(new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                // The handler that negotiates compression throws for each pipelined request too many.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                // For the process that takes the place of this one.
                .setReusePort(vertx.isNativeTransportEnabled())
                .setIdleTimeout(IDLE_SECONDS));
    }

    /**
     * Opens the server.
     *
     * @param loop runs a task on the event loop that serves: one that carries no traffic, whose requests would wait for
     *     the code of this server to be loaded
     * @param port 0 takes a free one
     * @param shares whether another process of the same user may listen there, whose place this one takes
     */
    public static Future<TelemetryServer> open(
            Vertx vertx,
            Executor loop,
            String host,
            int port,
            boolean shares,
            GatewayMetrics metrics,
            Readiness readiness) {
        TelemetryServer telemetry = new TelemetryServer(vertx, metrics, readiness);
        Future<Void> free = shares || port == 0
                ? Future.succeededFuture()
                : vertx.executeBlocking(() -> {
                    probe(host, port);
                    return null;
                });
        return free.compose(ignored -> telemetry.listen(loop, host, port))
                .map(ignored -> telemetry)
                .recover(e -> Future.failedFuture(new IOException(
                        "Metrics and health cannot be served at " + host + ":" + port + ": " + e.getMessage(), e)));
    }

    /** The kernel would let another process of the same user take part in the address. */
    private static void probe(String host, int port) throws IOException {
        try (Socket probe = new Socket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(host, port));
        }
    }

    private Future<HttpServer> listen(Executor loop, String host, int port) {
        Promise<HttpServer> open = Promise.promise();
        loop.execute(() -> server.connectionHandler(this::opened)
                .requestHandler(this::asked)
                .listen(port, host)
                .onComplete(open));
        return open.future();
    }

    public int port() {
        return server.actualPort();
    }

    public Future<Void> close() {
        return server.close();
    }

    private void opened(HttpConnection connection) {
        String address = AddressBlock.of(connection.remoteAddress().hostAddress());
        HttpConnection victim = connections.opened(address, connection, false);
        if (victim != null) {
            cut(victim);
        }
        if (connection.equals(victim)) {
            return;
        }
        OwnVersion.of(connection);
        within(connection, HEAD_SECONDS);
        connection.closeHandler(closed -> {
            connections.closed(connection);
            Long timer = timers.remove(connection);
            if (timer != null) {
                vertx.cancelTimer(timer);
            }
        });
    }

    /** Closes a connection unless this is called again within that time. */
    private void within(HttpConnection connection, int seconds) {
        Long before = timers.put(connection, vertx.setTimer(seconds * 1000L, late -> cut(connection)));
        if (before != null) {
            vertx.cancelTimer(before);
        }
    }

    /** Closes at once, past the handler of Vert.x, which would first write what the client does not read. */
    private static void cut(HttpConnection connection) {
        ((ConnectionBase) connection).channel().pipeline().firstContext().close();
    }

    private void asked(HttpServerRequest request) {
        HttpConnection connection = request.connection();
        if (request.response().writeQueueFull()) {
            // It sends requests and does not read the answers.
            cut(connection);
            return;
        }
        within(connection, ANSWER_SECONDS);
        request.response().putHeader("date", HttpDate.now());
        // Not the end handler: that is called when the answer waits for the client to read, too.
        handle(request).onSuccess(taken -> within(connection, IDLE_SECONDS));
    }

    /** Returns a future that completes when the answer was handed to the kernel. */
    private Future<Void> handle(HttpServerRequest request) {
        String method = request.method().name();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return request.response()
                    .setStatusCode(405)
                    .putHeader("allow", "GET, HEAD")
                    .end();
        }
        return switch (request.path()) {
            case "/metrics" -> metrics(request);
            case "/health/live" -> answer(request, 200, "UP", "");
            case "/health/ready" -> ready(request);
            default -> request.response().setStatusCode(404).end();
        };
    }

    private Future<Void> metrics(HttpServerRequest request) {
        if (scrapes >= SCRAPES_MAX) {
            return request.response()
                    .setStatusCode(503)
                    .putHeader("retry-after", "1")
                    .end();
        }
        scrapes++;
        return vertx.executeBlocking(Scheduling.background(metrics::scrape))
                .transform(text -> text.succeeded()
                        ? request.response()
                                .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
                                .end(text.result())
                        : request.response().setStatusCode(500).end())
                .onComplete(written -> scrapes--);
    }

    private Future<Void> ready(HttpServerRequest request) {
        boolean up = readiness.ready().getAsBoolean();
        String more = count("staleFiles", readiness.staleFiles())
                + count("missingListeners", readiness.missingListeners())
                + count("unsavedSnapshots", readiness.unsavedSnapshots());
        return answer(request, up ? 200 : 503, up ? "UP" : "DOWN", more);
    }

    private static String count(String name, IntSupplier of) {
        int count = of.getAsInt();
        return count == 0 ? "" : ",\"" + name + "\":" + count;
    }

    private static Future<Void> answer(HttpServerRequest request, int status, String text, String more) {
        return request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end("{\"status\":\"" + text + "\"" + more + "}\n");
    }
}

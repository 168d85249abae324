package io.sigma.dataplane.telemetry;

import io.sigma.dataplane.loop.Scheduling;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Serves {@code /metrics}, {@code /health/live} and {@code /health/ready}. Runs on an event loop of its own choosing. */
public final class TelemetryServer {

    private static final int IDLE_SECONDS = 60;

    private final Vertx vertx;
    private final HttpServer server;
    private final GatewayMetrics metrics;
    private final BooleanSupplier ready;
    private final IntSupplier staleFiles;

    private TelemetryServer(Vertx vertx, GatewayMetrics metrics, BooleanSupplier ready, IntSupplier staleFiles) {
        this.staleFiles = staleFiles;
        this.vertx = vertx;
        this.metrics = metrics;
        this.ready = ready;
        this.server = vertx.createHttpServer(new HttpServerOptions().setIdleTimeout(IDLE_SECONDS));
    }

    /**
     * Opens the server.
     *
     * @param port 0 takes a free one
     * @param ready whether requests can be served
     * @param staleFiles returns how many files could not be read again, which does not keep requests from being served
     */
    public static Future<TelemetryServer> open(
            Vertx vertx, String host, int port, GatewayMetrics metrics, BooleanSupplier ready, IntSupplier staleFiles) {
        TelemetryServer telemetry = new TelemetryServer(vertx, metrics, ready, staleFiles);
        return telemetry
                .server
                .requestHandler(telemetry::handle)
                .listen(port, host)
                .map(ignored -> telemetry)
                .recover(e -> Future.failedFuture(new IOException(
                        "Metrics and health cannot be served at " + host + ":" + port + ": " + e.getMessage(), e)));
    }

    public int port() {
        return server.actualPort();
    }

    public Future<Void> close() {
        return server.close();
    }

    private void handle(HttpServerRequest request) {
        String method = request.method().name();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            request.response()
                    .setStatusCode(405)
                    .putHeader("allow", "GET, HEAD")
                    .end();
            return;
        }
        switch (request.path()) {
            case "/metrics" -> metrics(request);
            case "/health/live" -> answer(request, 200, "UP", "");
            case "/health/ready" -> ready(request);
            default -> request.response().setStatusCode(404).end();
        }
    }

    private void metrics(HttpServerRequest request) {
        vertx.executeBlocking(Scheduling.background(metrics::scrape))
                .onComplete(
                        text -> request.response()
                                .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
                                .end(text),
                        cause -> request.response().setStatusCode(500).end());
    }

    private void ready(HttpServerRequest request) {
        boolean up = ready.getAsBoolean();
        int stale = staleFiles.getAsInt();
        answer(request, up ? 200 : 503, up ? "UP" : "DOWN", stale == 0 ? "" : ",\"staleFiles\":" + stale);
    }

    private static void answer(HttpServerRequest request, int status, String text, String more) {
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end("{\"status\":\"" + text + "\"" + more + "}\n");
    }
}

package io.sigma.standalone;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Something to route to: answers every request with JSON that says what arrived, so one sees what the gateway did to
 * it.
 */
public final class DemoUpstream {

    private static final int IDLE_SECONDS_MAX = 60;

    private final HttpServer server;

    private DemoUpstream(HttpServer server) {
        this.server = server;
    }

    /** Listens on {@code host}:{@code port}; port 0 takes a free one. */
    public static Future<DemoUpstream> start(Vertx vertx, String host, int port) {
        return vertx.createHttpServer(new HttpServerOptions().setIdleTimeout(IDLE_SECONDS_MAX))
                .requestHandler(DemoUpstream::answer)
                .listen(port, host)
                .map(DemoUpstream::new);
    }

    public int port() {
        return server.actualPort();
    }

    /** Completes when it listens no more. */
    public Future<Void> close() {
        return server.close();
    }

    private static void answer(HttpServerRequest request) {
        // The body is read to its end and thrown away, whatever its length.
        request.handler(chunk -> {});
        request.end()
                .onSuccess(end -> request.response()
                        .putHeader("content-type", "application/json")
                        .end(describe(request).encodePrettily() + "\n"));
    }

    private static JsonObject describe(HttpServerRequest request) {
        return new JsonObject()
                .put("answeredBy", "Sigma's demo upstream")
                .put("method", request.method().name())
                .put("path", request.path())
                .put("query", request.query())
                .put("headers", fields(request.headers()));
    }

    private static JsonObject fields(MultiMap headers) {
        JsonObject fields = new JsonObject();
        headers.names().forEach(name -> fields.put(name, new JsonArray(headers.getAll(name))));
        return fields;
    }
}

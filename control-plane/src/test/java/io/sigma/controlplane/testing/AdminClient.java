package io.sigma.controlplane.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sigma.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.IntSupplier;

/** A client of the admin API that knows the token. Blocks; thread-safe. */
public final class AdminClient implements AutoCloseable {

    /** An answer. */
    public record Reply(int status, HttpResponse<String> http) {

        /** Returns the body as JSON; missing when it is none. */
        public JsonNode json() {
            String type = http.headers().firstValue("Content-Type").orElse("");
            return type.contains("json") ? Json.read(http.body(), JsonNode.class) : MissingNode.getInstance();
        }

        /** Returns a field of the head; empty when absent. */
        public String header(String name) {
            return http.headers().firstValue(name).orElse("");
        }

        /** Returns the pointers of a problem's errors, separated by spaces. */
        public String pointers() {
            StringBuilder pointers = new StringBuilder();
            json().path("errors")
                    .forEach(error -> pointers.append(pointers.isEmpty() ? "" : " ")
                            .append(error.path("pointer").asText()));
            return pointers.toString();
        }

        @Override
        public String toString() {
            return status + " " + http.headers().map() + " " + http.body();
        }
    }

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final IntSupplier port;

    public AdminClient(int port) {
        this(() -> port);
    }

    /** @param port asked with each request */
    AdminClient(IntSupplier port) {
        this.port = port;
    }

    public Reply get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    public Reply put(String path, String body, String... headers) {
        return send("PUT", path, body, headers);
    }

    public Reply post(String path, String body, String... headers) {
        return send("POST", path, body, headers);
    }

    public Reply patch(String path, String body, String... headers) {
        return send("PATCH", path, body, headers);
    }

    public Reply delete(String path, String... headers) {
        return send("DELETE", path, "", headers);
    }

    /** Sends JSON with the token; {@code headers} are names and values, which may replace both. */
    public Reply send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base() + "/api/v1" + path))
                .timeout(Duration.ofSeconds(60))
                .setHeader("Authorization", "Bearer " + TestSettings.TOKEN)
                .setHeader("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        HttpRequest.BodyPublisher publisher =
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        return send(request.method(method, publisher).build());
    }

    /** Sends a request as it is. */
    public Reply send(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return new Reply(response.statusCode(), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public String base() {
        return "http://127.0.0.1:" + port.getAsInt();
    }

    @Override
    public void close() {
        http.close();
    }
}

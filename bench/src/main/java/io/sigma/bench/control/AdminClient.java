package io.sigma.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The admin API of one control plane, for requests that are timed or large. Thread-safe. */
record AdminClient(HttpClient http, int port, String token) {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** An answer and when it was here, as {@link System#nanoTime()}. */
    record Reply(int status, String body, long begunNanos, long nanos) {

        JsonNode json() {
            return Json.read(body, JsonNode.class);
        }

        /** @throws IllegalStateException when it is no success */
        Reply ok() {
            if (status / 100 != 2) {
                throw new IllegalStateException("answered " + status + ": " + body);
            }
            return this;
        }
    }

    static AdminClient of(int port, String token) {
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
        return new AdminClient(http, port, token);
    }

    Reply send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest.BodyPublisher content =
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1" + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
                .method(method, content)
                .build();
        long begun = System.nanoTime();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        return new Reply(response.statusCode(), response.body(), begun, System.nanoTime());
    }

    Reply get(String path) throws IOException, InterruptedException {
        return send("GET", path, "").ok();
    }

    boolean isUp() {
        try {
            return send("GET", "/health", "").status() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

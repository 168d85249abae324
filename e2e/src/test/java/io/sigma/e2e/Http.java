package io.sigma.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Small HTTP helpers on the JDK's client. Thread-safe. */
final class Http {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    /** An answer of a server. */
    record Answer(int status, String body, Optional<String> etag) {

        JsonNode json() {
            return Json.read(body, JsonNode.class);
        }
    }

    private Http() {}

    /** @throws UncheckedIOException when no answer came */
    static Answer get(String url) {
        return send("GET", url, null, null);
    }

    /** @throws UncheckedIOException when no answer came */
    static Answer send(String method, String url, @Nullable String token, @Nullable String json) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(TIMEOUT)
                .method(
                        method,
                        json == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(json));
        if (token == null) {
            // As a browser asks; the admin API answers JSON whatever is accepted.
            request.header("Accept", "text/html,*/*;q=0.8");
        } else {
            request.header("Authorization", "Bearer " + token);
        }
        if (json != null) {
            request.header("Content-Type", "application/json");
        }
        try {
            HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(
                    response.statusCode(), response.body(), response.headers().firstValue("ETag"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns whether a GET of {@code url} is answered with 200. */
    static boolean isOk(String url) {
        try {
            return get(url).status() == 200;
        } catch (UncheckedIOException e) {
            return false;
        }
    }
}

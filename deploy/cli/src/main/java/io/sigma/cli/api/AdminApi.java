package io.sigma.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sigma.cli.input.ApiRefusal;
import io.sigma.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A client of the admin API. Blocks; confined to the command. */
public final class AdminApi implements AutoCloseable {

    private static final Duration CONNECT_WAIT = Duration.ofSeconds(10);
    /** A large state takes a while, and `wait` may take a minute. */
    private static final Duration ANSWER_WAIT = Duration.ofMinutes(5);

    private static final int TRIES = 4;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int BODY_SHOWN_MAX = 200;

    private final HttpClient http;
    private final URI base;
    private final String token;

    /** @param tls what to connect with; null for Java's own */
    AdminApi(URI base, String token, @Nullable SSLContext tls) {
        HttpClient.Builder builder =
                HttpClient.newBuilder().connectTimeout(CONNECT_WAIT).version(HttpClient.Version.HTTP_1_1);
        this.http = (tls == null ? builder : builder.sslContext(tls)).build();
        this.base = base;
        this.token = token;
    }

    /** @throws ApiRefusal when there is no good answer */
    public JsonNode get(String path, Map<String, String> query) throws InterruptedException {
        return json(send(request(path, query).GET().build()));
    }

    /**
     * Writes, and asks again under the same key when the answer is lost: the write is made once.
     *
     * @param ifMatch tag that must still hold; null for none
     * @throws ApiRefusal when there is no good answer
     */
    public Answered put(String path, Map<String, String> query, JsonNode body, @Nullable String ifMatch)
            throws InterruptedException {
        HttpRequest.Builder request = request(path, query)
                .PUT(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body)))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString());
        if (ifMatch != null) {
            request.header("If-Match", ifMatch);
        }
        HttpRequest built = request.build();
        for (int left = TRIES; ; left--) {
            try {
                HttpResponse<byte[]> response = send(built);
                return new Answered(
                        json(response), response.headers().firstValue("ETag").orElse(null));
            } catch (ApiRefusal refusal) {
                if (refusal.exitCode() != ApiRefusal.UNREACHABLE || left == 1) {
                    throw refusal;
                }
                Thread.sleep(PAUSE);
            }
        }
    }

    /**
     * Puts or deletes what has no body and can be repeated.
     *
     * @return the answer; missing where it has none
     * @throws ApiRefusal when there is no good answer
     */
    public JsonNode send(String method, String path, Map<String, String> query) throws InterruptedException {
        HttpResponse<byte[]> response = send(request(path, query)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build());
        return response.body().length == 0 ? MissingNode.getInstance() : json(response);
    }

    private HttpRequest.Builder request(String path, Map<String, String> query) {
        String parameters = query.entrySet().stream()
                .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return HttpRequest.newBuilder(
                        URI.create(base + "/api/v1" + path + (parameters.isEmpty() ? "" : "?" + parameters)))
                .timeout(ANSWER_WAIT)
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json");
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws InterruptedException {
        HttpResponse<byte[]> response;
        try {
            response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new ApiRefusal(ApiRefusal.UNREACHABLE, base + " does not answer: " + reason(e));
        }
        if (response.statusCode() / 100 != 2) {
            throw new ApiRefusal(exitCode(response.statusCode()), problem(response));
        }
        return response;
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static int exitCode(int status) {
        return switch (status) {
            case 401, 403, 429 -> ApiRefusal.FORBIDDEN;
            case 409, 412 -> ApiRefusal.CONFLICT;
            default -> status >= 500 ? ApiRefusal.UNREACHABLE : ApiRefusal.INVALID;
        };
    }

    /** Returns what a problem says: each error in a line, or else its detail. */
    private static String problem(HttpResponse<byte[]> response) {
        JsonNode problem = tree(response.body());
        if (!problem.has("title")) {
            String body = new String(response.body(), StandardCharsets.UTF_8).strip();
            return "status " + response.statusCode()
                    + (body.isEmpty() ? "" : ": " + body.substring(0, Math.min(body.length(), BODY_SHOWN_MAX)));
        }
        StringBuilder lines = new StringBuilder(
                problem.path("title").asText() + ": " + problem.path("detail").asText());
        problem.path("errors")
                .forEach(error -> lines.append(System.lineSeparator())
                        .append(error.path("pointer").asText())
                        .append(": ")
                        .append(error.path("detail").asText()));
        problem.path("referrers")
                .forEach(referrer -> lines.append(System.lineSeparator())
                        .append("referred to by ")
                        .append(FieldDiff.label(referrer)));
        return lines.toString();
    }

    private JsonNode json(HttpResponse<byte[]> response) {
        JsonNode tree = tree(response.body());
        if (!tree.isObject()) {
            throw new ApiRefusal(ApiRefusal.UNREACHABLE, base + " is not an admin API: the answer is not JSON");
        }
        return tree;
    }

    private static JsonNode tree(byte[] body) {
        try {
            return Json.read(body, JsonNode.class);
        } catch (IllegalArgumentException e) {
            return MissingNode.getInstance();
        }
    }

    @Override
    public void close() {
        http.close();
    }
}

package io.sigma.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

/** The admin API of one control plane. Thread-safe. */
public record Admin(int port, String token) {

    String url(String path) {
        return "http://127.0.0.1:" + port + "/api/v1" + path;
    }

    public boolean isUp() {
        return Http.isOk(url("/health"));
    }

    Http.Answer send(String method, String path, String json) {
        return Http.send(method, url(path), token, json);
    }

    /** Puts a resource and returns the whole answer, which must be a success. */
    public JsonNode put(String path, String json) {
        return written("PUT", path, json);
    }

    /** As {@link #put}. */
    public JsonNode post(String path, String json) {
        return written("POST", path, json);
    }

    /** As {@link #put}. */
    public JsonNode patch(String path, String json) {
        return written("PATCH", path, json);
    }

    private JsonNode written(String method, String path, String json) {
        Http.Answer answer = send(method, path, json);
        assertThat(answer.status()).as("%s %s: %s", method, path, answer.body()).isIn(200, 201);
        return answer.json();
    }

    JsonNode get(String path) {
        Http.Answer answer = Http.send("GET", url(path), token, null);
        assertThat(answer.status()).as("GET %s: %s", path, answer.body()).isEqualTo(200);
        return answer.json();
    }

    long revision() {
        return get("/config").path("revision").asLong();
    }
}

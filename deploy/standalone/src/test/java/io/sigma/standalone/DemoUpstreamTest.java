package io.sigma.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

final class DemoUpstreamTest {

    @Test
    void saysWhatArrived() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            DemoUpstream upstream = DemoUpstream.start(vertx, "127.0.0.1", 0).await();
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:%d/a/b?c=d".formatted(upstream.port())))
                    .header("X-Test", "yes")
                    .POST(BodyPublishers.ofByteArray(new byte[100_000]))
                    .build();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            JsonObject seen = new JsonObject(response.body());
            assertThat(seen.getString("method")).isEqualTo("POST");
            assertThat(seen.getString("path")).isEqualTo("/a/b");
            assertThat(seen.getString("query")).isEqualTo("c=d");
            assertThat(seen.getJsonObject("headers").getJsonArray("X-Test")).containsExactly("yes");
        } finally {
            vertx.close().await();
        }
    }
}

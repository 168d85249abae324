package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies of many small values, which are much larger in memory, do not end a control plane of 256 MB. */
@Timeout(300)
final class EditorBodiesTest extends SmallControlPlane {

    @ParameterizedTest
    @CsvSource({
        "config, upstreams, 8, 413",
        "batch, operations, 12, 413",
        "import/sigma-json, upstream, 12, 413",
        "upstreams/a, nodes, 0, 422"
    })
    void manySmallValues(String path, String list, int mib, int status) {
        for (String value : new String[] {"[]", "{}", "0"}) {
            String body = "{\"" + list + "\":[" + many(value, Math.max(mib * MIB, MIB / 2)) + "]}";

            int answered = path.startsWith("config") || path.startsWith("upstreams")
                    ? client.put("/" + path, body).status()
                    : client.post("/" + path, body).status();

            assertThat(answered).as("%s of %s", path, value).isEqualTo(status);
            assertThat(client.get("/health").status()).isEqualTo(200);
        }
    }

    @Test
    void aDocumentOfManySmallValues() {
        for (String document : new String[] {
            "{\"openapi\":\"3.0.0\",\"info\":{\"title\":\"x\"},\"paths\":{},\"x\":[" + many("[]", 8 * MIB) + "]}",
            "openapi: 3.0.0\ninfo: {title: x}\npaths: {}\nx: [" + many("[]", 8 * MIB) + "]"
        }) {
            AdminClient.Reply reply =
                    client.post("/import/openapi", Json.text(Map.of("proxyServerId", "web", "document", document)));

            assertThat(reply.status()).isEqualTo(422);
            assertThat(reply.http().body()).contains("more values than the control plane has memory for");
        }
    }

    @Test
    void manySmallValuesOfManyAtOnce() throws Exception {
        List<Future<Integer>> statuses = new ArrayList<>();
        String body = "{\"upstreams\":[" + many("[]", 2 * MIB) + "]}";
        try (ExecutorService executor = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 32; i++) {
                statuses.add(executor.submit(() -> client.put("/config", body).status()));
            }
        }

        for (Future<Integer> status : statuses) {
            assertThat(status.get()).isIn(413, 503);
        }

        assertThat(client.get("/health").status()).isEqualTo(200);
    }

    private static String many(String value, int bytes) {
        return String.join(",", Collections.nCopies(bytes / (value.length() + 1), value));
    }
}

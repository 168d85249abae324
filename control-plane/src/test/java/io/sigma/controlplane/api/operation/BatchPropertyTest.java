package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Batches of random operations against a model that needs no database. */
@Timeout(300)
final class BatchPropertyTest {

    private static final long SEED = 20_260_101;
    private static final int BATCHES = 120;
    private static final int OPERATIONS_MAX = 8;
    private static final int IDS = 4;

    @TempDir
    Path dir;

    private final Random random = new Random(SEED);

    /** The upstream of each proxy pass, and the label of each upstream. */
    private record Model(Map<String, String> upstreams, Map<String, String> passes) {

        Model copy() {
            return new Model(new TreeMap<>(upstreams), new TreeMap<>(passes));
        }

        boolean isWhole() {
            return upstreams.keySet().containsAll(passes.values());
        }
    }

    @Test
    void aBatchIsDoneWholeOrNotAtAll() throws Exception {
        try (RunningControlPlane running = RunningControlPlane.start(TestSettings.of(dir, TestDatabase.fresh()))) {
            AdminClient client = running.client();
            Model model = new Model(new TreeMap<>(), new TreeMap<>());
            long revision = 0;
            int done = 0;
            for (int i = 0; i < BATCHES; i++) {
                Model wanted = model.copy();
                List<String> operations = new ArrayList<>();
                boolean possible = operations(wanted, operations) && wanted.isWhole();
                Reply reply = client.post("/batch", "{\"operations\":[" + String.join(",", operations) + "]}");
                assertThat(reply.status() == 200)
                        .as("%s: %s", operations, reply)
                        .isEqualTo(possible);
                if (possible) {
                    revision += wanted.equals(model) ? 0 : 1;
                    model = wanted;
                    done++;
                } else {
                    assertThat(reply.status()).isIn(404, 409, 422);
                }
                JsonNode config = client.get("/config").json();
                assertThat(config.path("revision").asLong()).isEqualTo(revision);
                assertThat(field(config.path("upstreams"), "/labels/value")).isEqualTo(model.upstreams);
                assertThat(field(config.path("proxyPasses"), "/upstreamId")).isEqualTo(model.passes);
            }
            assertThat(done).as("both happen").isBetween(BATCHES / 10, BATCHES * 9 / 10);
        }
    }

    private static Map<String, String> field(JsonNode all, String pointer) {
        Map<String, String> values = new TreeMap<>();
        all.forEach(one -> values.put(one.path("id").asText(), one.at(pointer).asText()));
        return values;
    }

    /** Adds operations and does them in {@code model}; returns whether each is possible by itself. */
    private boolean operations(Model model, List<String> operations) {
        boolean possible = true;
        Set<String> touched = new HashSet<>();
        for (int count = 1 + random.nextInt(OPERATIONS_MAX); count > 0; count--) {
            boolean upstream = random.nextBoolean();
            String id = (upstream ? "u" : "p") + random.nextInt(IDS);
            if (touched.add(id)) {
                possible &= operation(upstream ? model.upstreams : model.passes, upstream, id, operations);
            }
        }
        return possible;
    }

    private boolean operation(Map<String, String> entities, boolean upstream, String id, List<String> operations) {
        String head = "\"kind\":\"" + (upstream ? "UPSTREAM" : "PROXY_PASS") + "\",\"id\":\"" + id + "\"";
        String value = upstream ? "v" + random.nextInt(3) : "u" + random.nextInt(IDS);
        String body = upstream ? "\"labels\":{\"value\":\"" + value + "\"}" : "\"upstreamId\":\"" + value + "\"";
        return switch (random.nextInt(6)) {
            case 0 -> {
                operations.add("{\"action\":\"DELETE\"," + head + "}");
                yield entities.remove(id) != null;
            }
            case 1 -> {
                operations.add("{\"action\":\"PATCH\"," + head + ",\"body\":{" + body + "}}");
                yield entities.replace(id, value) != null;
            }
            default -> {
                String nodes = upstream ? "\"nodes\":[{\"url\":\"http://10.0.0.1\"}]," : "";
                operations.add("{\"action\":\"PUT\"," + head + ",\"body\":{" + nodes + body + "}}");
                entities.put(id, value);
                yield true;
            }
        };
    }
}

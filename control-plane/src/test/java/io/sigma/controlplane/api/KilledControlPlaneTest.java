package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.ControlPlaneProcess;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A control plane is killed while it writes batches. */
@Timeout(300)
final class KilledControlPlaneTest {

    private static final int OPERATIONS = 200;
    private static final int ANSWERED_MIN = 3;

    @TempDir
    Path dir;

    @RepeatedTest(3)
    void aBatchIsThereWholeOrNotAtAllAndTheClientLearnsWhich() throws Exception {
        String url = TestDatabase.fresh();
        Map<String, Long> answered = new LinkedHashMap<>();
        String unanswered;
        try (ControlPlaneProcess doomed = ControlPlaneProcess.start(dir.resolve("a"), url);
                ExecutorService executor = Executors.newSingleThreadExecutor()) {
            CountDownLatch warm = new CountDownLatch(ANSWERED_MIN);
            Future<String> writing = executor.submit(() -> writeUntilItBreaks(doomed.client(), answered, warm));
            assertThat(warm.await(60, TimeUnit.SECONDS)).isTrue();
            // Anywhere in one of the batches that follow.
            TimeUnit.MICROSECONDS.sleep(new Random().nextInt(200_000));
            doomed.kill();
            unanswered = writing.get(60, TimeUnit.SECONDS);
        }
        try (RunningControlPlane second = RunningControlPlane.start(TestSettings.of(dir.resolve("b"), url))) {
            long head = head(url);
            assertThat(head).isBetween((long) answered.size(), answered.size() + 1L);
            assertThat(TestDatabase.query(url, "select count(*) from upstreams"))
                    .as("whole batches only")
                    .containsExactly(String.valueOf(head * OPERATIONS));
            boolean committed = head > answered.size();
            Reply again = batch(second.client(), unanswered);
            assertThat(again.status()).as("%s", again).isEqualTo(200);
            assertThat(again.json().at("/revision/repeated").asBoolean()).isEqualTo(committed);
            assertThat(again.json().at("/revision/number").asLong()).isEqualTo(answered.size() + 1L);
            assertThat(again.json().path("results"))
                    .hasSize(OPERATIONS)
                    .allMatch(result -> result.path("changed").asBoolean());
            answered.forEach((key, revision) -> assertThat(batch(second.client(), key)
                            .json()
                            .at("/revision/number")
                            .asLong())
                    .isEqualTo(revision));
            assertThat(head(url)).isEqualTo(answered.size() + 1L);
            Snapshot snapshot = second.controlPlane().revisionLog().current();
            assertThat(snapshot.hash()).isEqualTo(StateHash.of(snapshot.state()));
        }
    }

    /** Returns the key of the batch that was not answered. */
    private static String writeUntilItBreaks(AdminClient client, Map<String, Long> answered, CountDownLatch warm) {
        for (int i = 0; ; i++) {
            String key = "batch-" + i;
            try {
                Reply reply = batch(client, key);
                assertThat(reply.status()).as("%s", reply).isEqualTo(200);
                answered.put(key, reply.json().at("/revision/number").asLong());
                warm.countDown();
            } catch (UncheckedIOException broken) {
                return key;
            }
        }
    }

    private static Reply batch(AdminClient client, String key) {
        String operations = IntStream.range(0, OPERATIONS)
                .mapToObj(i -> "{\"action\":\"PUT\",\"kind\":\"UPSTREAM\",\"id\":\"" + key + "." + i
                        + "\",\"body\":{\"nodes\":[{\"url\":\"http://10.0.0.1\"}]}}")
                .collect(Collectors.joining(","));
        return client.post("/batch", "{\"operations\":[" + operations + "]}", "Idempotency-Key", key);
    }

    private static long head(String url) {
        return Long.parseLong(
                TestDatabase.query(url, "select revision from head").getFirst());
    }
}

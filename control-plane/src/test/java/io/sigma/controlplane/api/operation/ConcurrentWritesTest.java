package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many writers at once, at two control planes of one database. */
@Timeout(1800)
final class ConcurrentWritesTest {

    private static final int WRITERS = 16;

    /**
     * Each is contended for by as many writers as is enough for conflicts; with one for all, nearly every write would
     * be one.
     */
    private static final int COUNTERS = 4;

    /** A thousand in {@code make test-writers}. */
    private static final int WRITES = Integer.getInteger("sigma.writesPerWriter", 50);

    @TempDir
    Path dir;

    @Test
    void noUpdateIsLostAndNoRevisionIsMissing() throws Exception {
        String url = TestDatabase.fresh();
        try (RunningControlPlane first = RunningControlPlane.start(TestSettings.of(dir.resolve("a"), url));
                RunningControlPlane second = RunningControlPlane.start(TestSettings.of(dir.resolve("b"), url))) {
            Map<String, Map<Long, Long>> valueByRevision = new HashMap<>();
            for (int i = 0; i < COUNTERS; i++) {
                String path = "/upstreams/counter-" + i;
                first.client().put(path, counter(0));
                valueByRevision.put(path, new ConcurrentSkipListMap<>());
            }
            List<Callable<Void>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                // Both control planes write to each counter.
                AdminClient client = i % 2 == 0 ? first.client() : second.client();
                String path = "/upstreams/counter-" + i / 2 % COUNTERS;
                Map<Long, Long> written = valueByRevision.get(path);
                writers.add(() -> {
                    for (int write = 0; write < WRITES; write++) {
                        increment(client, path, written);
                    }
                    return null;
                });
            }
            try (ExecutorService executor = Executors.newFixedThreadPool(WRITERS)) {
                for (Future<Void> writer : executor.invokeAll(writers)) {
                    writer.get(25, TimeUnit.MINUTES);
                }
            }
            long writes = (long) WRITERS * WRITES;
            // In the order of revisions each counter counts: that is the order of commits, and no update is lost.
            List<Long> counted =
                    LongStream.rangeClosed(1, writes / COUNTERS).boxed().toList();
            assertThat(valueByRevision.values())
                    .allSatisfy(values -> assertThat(values.values()).containsExactlyElementsOf(counted));
            assertThat(TestDatabase.query(url, "select number from revisions order by number"))
                    .isEqualTo(LongStream.rangeClosed(1, writes + COUNTERS)
                            .mapToObj(String::valueOf)
                            .toList());
            for (RunningControlPlane one : List.of(first, second)) {
                Snapshot snapshot = agreed(one, writes + COUNTERS);
                assertThat(snapshot.hash()).isEqualTo(StateHash.of(snapshot.state()));
                assertThat(TestDatabase.query(url, "select state_hash from head"))
                        .containsExactly(snapshot.hash().hex());
            }
        }
    }

    private static Snapshot agreed(RunningControlPlane one, long revision) {
        Eventually.holds(
                "revision " + revision,
                Duration.ofSeconds(10),
                () -> one.controlPlane().revisionLog().current().revision() == revision);
        return one.controlPlane().revisionLog().current();
    }

    /** Adds one, as often as another writer was faster. */
    private static void increment(AdminClient client, String path, Map<Long, Long> valueByRevision) {
        while (true) {
            Reply read = client.get(path);
            long value = read.json().at("/labels/value").asLong() + 1;
            Reply written = client.put(path, counter(value), "If-Match", read.header("ETag"));
            if (written.status() == 200) {
                JsonNode revision = written.json().path("revision");
                assertThat(revision.path("changed").asBoolean()).isTrue();
                assertThat(valueByRevision.put(revision.path("number").asLong(), value))
                        .isNull();
                return;
            }
            assertThat(written.status()).as("%s", written).isEqualTo(412);
        }
    }

    private static String counter(long value) {
        return "{\"nodes\":[{\"url\":\"http://10.0.0.1\"}],\"labels\":{\"value\":\"" + value + "\"}}";
    }
}

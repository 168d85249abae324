package io.sigma.controlplane.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.EventStream;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.snapshot.TrafficEntry;
import io.sigma.snapshot.TrafficReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class EventsTest {

    @TempDir
    Path dir;

    private static final String NOBODY_KNOWS = "999999-1";

    private String database = "";

    private RunningControlPlane start(String name, String... more) throws Exception {
        database = database.isEmpty() ? TestDatabase.fresh() : database;
        List<String> settings = new ArrayList<>(List.of("controlPlaneId", name));
        settings.addAll(List.of(more));
        ControlPlaneSettings read = TestSettings.of(dir.resolve(name), database, settings.toArray(String[]::new));
        return RunningControlPlane.start(read);
    }

    private static void write(AdminClient client, int number) {
        assertThat(client.put("/proxy-servers/server-" + number, "{\"port\":" + number + "}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void aNewClientIsToldTheStateAndThenWhatHappens() throws Exception {
        try (RunningControlPlane one = start("one")) {
            write(one.client(), 1);
            try (EventStream stream = EventStream.open(one.client())) {
                assertThat(stream.status()).isEqualTo(200);
                assertThat(stream.contentType()).isEqualTo("text/event-stream");
                assertThat(stream.next().toString()).isEqualTo("revision 1");
                assertThat(stream.next("ready").data()).isEmpty();
                one.client().put("/proxy-servers/b?message=because", "{\"port\":2}");
                EventStream.Event second = stream.next("revision");
                assertThat(second.data().path("number").asLong()).isEqualTo(2);
                assertThat(second.data().path("message").asText()).isEqualTo("because");
                assertThat(second.id()).matches("[0-9]+-[0-9]+");
            }
        }
    }

    @Test
    void aClientThatComesBackGoesOnWhereItWasAtAnyControlPlane() throws Exception {
        try (RunningControlPlane one = start("one");
                RunningControlPlane two = start("two")) {
            String heard;
            try (EventStream stream = EventStream.open(one.client())) {
                stream.next("ready");
                write(one.client(), 1);
                stream.next("revision");
                heard = stream.lastId();
            }
            write(one.client(), 2);
            write(two.client(), 3);
            for (RunningControlPlane each : List.of(one, two)) {
                try (EventStream stream = EventStream.open(each.client(), heard)) {
                    assertThat(stream.until("revision 3"))
                            .doesNotContain("reset", "ready", "revision 1")
                            .containsSubsequence("revision 2", "revision 3");
                }
            }
        }
    }

    @Test
    void whatManyWriteAtTwoControlPlanesIsToldOnceAndInOrder() throws Exception {
        try (RunningControlPlane one = start("one");
                RunningControlPlane two = start("two");
                EventStream atOne = EventStream.open(one.client());
                EventStream atTwo = EventStream.open(two.client());
                ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            atOne.next("ready");
            atTwo.next("ready");
            List<Future<?>> writes = new ArrayList<>();
            for (int i = 1; i <= 40; i++) {
                int number = i;
                AdminClient client = (i % 2 == 0 ? one : two).client();
                writes.add(writers.submit(() -> write(client, number)));
            }
            for (Future<?> each : writes) {
                each.get();
            }
            List<String> all = LongStream.rangeClosed(1, 40)
                    .mapToObj(number -> "revision " + number)
                    .toList();
            assertThat(revisions(atOne.until("revision 40"))).isEqualTo(all);
            assertThat(revisions(atTwo.until("revision 40"))).isEqualTo(all);
        }
    }

    private static List<String> revisions(List<String> events) {
        return events.stream().filter(event -> event.startsWith("revision")).toList();
    }

    @Test
    void aClientWhoseEventIsNotKeptAnyMoreIsToldToLoadAfresh() throws Exception {
        try (RunningControlPlane one = start("one", "eventsKeptMax", "100")) {
            String heard;
            try (EventStream stream = EventStream.open(one.client())) {
                write(one.client(), 1);
                stream.until("revision 1");
                heard = stream.lastId();
                many(150, 10);
                // More at once than is kept.
                assertThat(stream.until("ready")).contains("reset");
            }
            for (String id : List.of(heard, NOBODY_KNOWS, "nonsense", "1-1")) {
                try (EventStream stream = EventStream.open(one.client(), id)) {
                    assertThat(stream.until("ready")).as(id).startsWith("reset", "revision 1");
                }
            }
        }
    }

    /** Has the log say something often. */
    private void many(int count, int length) {
        TestDatabase.execute(
                database,
                "insert into event_log (type, subject, ordinal, mark, data) select 'many', 'many', n, '', '\"' || repeat('x', "
                        + length + ") || '\"' from generate_series(1, " + count + ") as n");
    }

    @Test
    void aClientThatDoesNotReadHoldsNobodyUpAndIsToldWhatItLost() throws Exception {
        int count = 4_000;
        try (RunningControlPlane one = start("one");
                EventStream slow = EventStream.open(one.client());
                EventStream quick = EventStream.open(one.client())) {
            slow.next("ready");
            quick.next("ready");
            // More than the log holds in memory, and than fits the buffers of a connection; never so much at once for
            // who reads.
            for (int i = 0; i < count; i++) {
                if (i % 500 == 0) {
                    many(500, 8_000);
                }
                quick.next("many");
            }
            write(one.client(), 1);
            quick.next("revision");

            List<String> heard = slow.until("ready");

            assertThat(heard).containsSubsequence("many", "reset", "revision 1", "ready");
            assertThat(heard.size()).as("it lost some").isLessThan(count);
            write(one.client(), 2);
            assertThat(slow.next("revision").data().path("number").asLong()).isEqualTo(2);
        }
    }

    @Test
    void aLogThatWasSetBackIsToldToEveryClient() throws Exception {
        try (RunningControlPlane one = start("one");
                EventStream stream = EventStream.open(one.client())) {
            write(one.client(), 1);
            stream.until("revision 1");
            String heard = stream.lastId();

            TestDatabase.execute(database, "truncate event_log restart identity");

            assertThat(stream.until("ready")).contains("reset", "revision 1");
            write(one.client(), 2);
            stream.next("revision");
            try (EventStream again = EventStream.open(one.client(), heard)) {
                assertThat(again.next().toString()).isEqualTo("reset");
            }
        }
    }

    @Test
    void whatTheLogLostIsToldOnce() throws Exception {
        try (RunningControlPlane one = start("one");
                EventStream stream = EventStream.open(one.client())) {
            stream.next("ready");

            TestDatabase.execute(
                    database,
                    "insert into event_log (type, subject, ordinal, mark, data) values ('reset', 'reset', 0, 'm', '{}')");

            assertThat(stream.until("ready")).startsWith("reset");
            try (EventStream late = EventStream.open(one.client())) {
                assertThat(late.until("ready")).doesNotContain("reset");
                write(one.client(), 1);
                assertThat(stream.until("revision 1")).doesNotContain("reset", "ready");
                assertThat(late.until("revision 1")).doesNotContain("reset", "ready");
            }
        }
    }

    /** It would go on with heartbeats, and never hear of anything again. */
    @Test
    void aStreamEndsWhoseStateCannotBeToldWhateverTheReason() throws Exception {
        try (RunningControlPlane one = start("one");
                EventStream stream = EventStream.open(one.client())) {
            write(one.client(), 1);
            stream.until("revision 1");
            // Which the database refuses, instead of being away.
            TestDatabase.execute(database, "alter table revisions rename to elsewhere");

            TestDatabase.execute(database, "truncate event_log restart identity");

            assertThatThrownBy(() -> stream.until("ready")).isInstanceOf(IOException.class);
            TestDatabase.execute(database, "alter table elsewhere rename to revisions");
            try (EventStream again = EventStream.open(one.client(), stream.lastId())) {
                assertThat(again.until("ready")).startsWith("reset", "revision 1");
            }
        }
    }

    @Test
    void findingsAreToldWhenTheyAreOthers() throws Exception {
        try (RunningControlPlane one = start("one");
                RunningControlPlane two = start("two");
                EventStream stream = EventStream.open(two.client())) {
            stream.next("ready");
            one.client().put("/upstreams/unused", "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}]}");

            EventStream.Event event = stream.next("analysis");

            assertThat(event.data().path("revision").asLong()).isEqualTo(1);
            assertThat(event.data().path("infos").asInt()).isPositive();
            int infos = event.data().path("infos").asInt();
            one.client().put("/upstreams/unused?message=same", "{\"nodes\":[{\"url\":\"http://10.0.0.2:80\"}]}");
            one.client().delete("/upstreams/unused");
            EventStream.Event gone = stream.next("analysis");
            assertThat(gone.data().path("revision").asLong()).isEqualTo(3);
            assertThat(gone.data().path("infos").asInt()).isLessThan(infos);
            assertThat(TestDatabase.query(database, "select count(*) from event_log where type = 'analysis'"))
                    .as("two control planes found the same")
                    .containsExactly("2");
        }
    }

    @Test
    void ratesAreToldNowAndThen() throws Exception {
        try (RunningControlPlane one = start("one");
                EventStream stream = EventStream.open(one.client())) {
            TrafficEntry entry = new TrafficEntry(
                    TrafficEntry.Kind.GATEWAY, "edge", List.of(0L, 0L, 7L, 0L, 0L, 0L), 10, 20, List.of(5, 7));
            for (int report = 0; report < 8; report++) {
                Objects.requireNonNull(one.controlPlane().fleet().traffic())
                        .heard(new TrafficReport("edge", Instant.EPOCH, report + 1, report * 5_000L, List.of(entry)))
                        .await();
            }
            EventStream.Event event = stream.next("rates");
            while (event.data().at("/figures/requests").asLong() == 0) {
                event = stream.next("rates");
            }
            assertThat(event.id()).isEmpty();
            assertThat(event.data().at("/figures/requests").asLong()).isBetween(6L, 8L);
            assertThat(event.data().at("/figures/perSecond").asDouble()).isPositive();
        }
    }

    @Test
    void whoMayReadMayListenAndNobodyElse() throws Exception {
        try (RunningControlPlane one = start("one")) {
            String viewer = one.client()
                    .post("/tokens", "{\"name\":\"wall\",\"role\":\"VIEWER\"}")
                    .json()
                    .path("token")
                    .asText();
            try (EventStream stream = EventStream.open(one.client(), null, viewer)) {
                assertThat(stream.status()).isEqualTo(200);
                stream.next("ready");
            }
            try (EventStream stream = EventStream.open(one.client(), null, "somebody")) {
                assertThat(stream.status()).isEqualTo(401);
            }
            assertThat(one.client()
                            .get("/events", "Last-Event-ID", "x".repeat(65))
                            .status())
                    .isEqualTo(400);
            assertThat(one.client().get("/events?since=1").status()).isEqualTo(400);
        }
    }

    @Test
    void oneClientTooManyIsAnswered503AndARoomIsGivenFree() throws Exception {
        try (RunningControlPlane one = start("one", "eventClientsMax", "1")) {
            EventStream first = EventStream.open(one.client());
            first.next("ready");
            assertThat(one.client().get("/events").status()).isEqualTo(503);
            first.close();
            Eventually.holds("a client is let in", Duration.ofSeconds(20), () -> {
                // A write makes the server notice that the first client is gone.
                one.client().put("/proxy-servers/a", "{\"port\":" + (1 + System.nanoTime() % 60_000) + "}");
                try (EventStream next = EventStream.open(one.client())) {
                    return next.status() == 200;
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    @Test
    void aClientThatHangsUpBeforeItIsLetInTakesNoRoom() throws Exception {
        try (RunningControlPlane one = start("one", "eventClientsMax", "1")) {
            String viewer = one.client()
                    .post("/tokens", "{\"name\":\"wall\",\"role\":\"VIEWER\"}")
                    .json()
                    .path("token")
                    .asText();
            TestDatabase.whileLocked(database, "api_tokens", waited -> {
                try (Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), one.controlPlane().adminPort())) {
                    socket.getOutputStream()
                            .write(("GET /api/v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + viewer
                                            + "\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
                    waited.run();
                }
            });

            Eventually.holds("another one is let in", Duration.ofSeconds(5), () -> {
                try (EventStream next = EventStream.open(one.client())) {
                    return next.status() == 200;
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    @Test
    void aStreamEndsWithTheControlPlane() throws Exception {
        RunningControlPlane one = start("one");
        try (EventStream stream = EventStream.open(one.client())) {
            stream.next("ready");
            one.close();
            assertThatThrownBy(() -> stream.next("revision")).isInstanceOf(IOException.class);
        }
    }
}

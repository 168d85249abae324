package io.sigma.controlplane.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class EventOutboxTest {

    @TempDir
    Path dir;

    private static List<NewEvent> step(long ordinal) {
        return List.of(new NewEvent("step", "subject", ordinal, "", "{}"));
    }

    @Test
    void whatCouldNotBeWrittenIsToldBeforeWhatCameMeanwhile() throws Exception {
        String database = TestDatabase.fresh();
        Vertx vertx = Vertx.vertx();
        Store store = Store.open(vertx, TestSettings.of(dir, database));
        try {
            EventTable table = new EventTable(store.database().pool());
            EventOutbox outbox = new EventOutbox(vertx, vertx.getOrCreateContext(), table, () -> {});
            TestDatabase.execute(database, "alter table event_log rename to away");
            AtomicInteger tries = new AtomicInteger();
            outbox.tell("one", () -> {
                if (tries.getAndIncrement() == 0) {
                    outbox.tell("two", () -> step(2));
                }
                return step(1);
            });
            Eventually.holds("it is tried again", Duration.ofSeconds(10), () -> tries.get() > 1);
            TestDatabase.execute(database, "alter table away rename to event_log");

            Eventually.holds(
                    "both are told",
                    Duration.ofSeconds(10),
                    () -> ordinals(database).contains("2"));
            assertThat(ordinals(database)).containsExactly("1", "2");
            outbox.close();
        } finally {
            store.close().await(30, TimeUnit.SECONDS);
            vertx.close().await(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void errorOfOneKeepsNothingElse() throws Exception {
        String database = TestDatabase.fresh();
        Vertx vertx = Vertx.vertx();
        Store store = Store.open(vertx, TestSettings.of(dir, database));
        try {
            EventTable table = new EventTable(store.database().pool());
            EventOutbox outbox = new EventOutbox(vertx, vertx.getOrCreateContext(), table, () -> {});
            outbox.tell("error", () -> {
                throw new StackOverflowError("of the test");
            });
            outbox.tell("one", () -> step(1));
            Eventually.holds(
                    "the other is told",
                    Duration.ofSeconds(10),
                    () -> ordinals(database).equals(List.of("1")));
            outbox.tell("two", () -> step(2));
            Eventually.holds(
                    "it goes on",
                    Duration.ofSeconds(10),
                    () -> ordinals(database).equals(List.of("1", "2")));
            outbox.close();
        } finally {
            store.close().await(30, TimeUnit.SECONDS);
            vertx.close().await(30, TimeUnit.SECONDS);
        }
    }

    private static List<String> ordinals(String database) {
        return TestDatabase.query(database, "select ordinal from event_log where type = 'step' order by id");
    }
}

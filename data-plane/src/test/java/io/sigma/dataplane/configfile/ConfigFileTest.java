package io.sigma.dataplane.configfile;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A file is followed whatever became of what it said before. */
final class ConfigFileTest {

    private static final String FIRST = "{\"proxy-server\": {\"http\": {\"id\": \"web\", \"port\": 8081}}}";
    private static final String SECOND = FIRST.replace("8081", "8082");

    @TempDir
    Path folder;

    private final AtomicInteger applied = new AtomicInteger();
    private volatile Snapshot current = Snapshot.NONE;

    /** Takes the first snapshot, and what follows when {@code second} has been asked so often that it succeeds. */
    private SnapshotTarget target(Supplier<Future<Void>> second) {
        return new SnapshotTarget() {
            @Override
            public Future<Void> apply(Snapshot snapshot) {
                Future<Void> done = applied.incrementAndGet() == 1 ? Future.succeededFuture() : second.get();
                if (done.succeeded()) {
                    current = snapshot;
                }
                return done;
            }

            @Override
            public Snapshot current() {
                return current;
            }
        };
    }

    private void followed(Supplier<Future<Void>> second) throws Exception {
        Path path = Files.writeString(folder.resolve("sigma.json"), FIRST);
        try (ConfigFile file = new ConfigFile(path, target(second), 1)) {
            file.open().await(10, TimeUnit.SECONDS);
            Snapshot first = current;
            Files.writeString(path, SECOND);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (current.hash().equals(first.hash()) && System.nanoTime() < deadline) {
                Thread.sleep(5);
            }
            assertThat(current.hash()).isNotEqualTo(first.hash());
            assertThat(applied).hasValue(3);
        }
    }

    @Test
    void contentThatCouldNotBeServedIsTriedAgain() throws Exception {
        followed(() -> applied.get() == 2
                ? Future.failedFuture(new SnapshotRefused("/proxyServers/a/port", "it is taken"))
                : Future.succeededFuture());
    }

    @Test
    void fileIsFollowedAfterAPipeWasInItsPlace() throws Exception {
        Path path = Files.writeString(folder.resolve("sigma.json"), FIRST);
        try (ConfigFile file = new ConfigFile(path, target(Future::succeededFuture), 1)) {
            file.open().await(10, TimeUnit.SECONDS);
            Path pipe = folder.resolve("pipe");
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
            Files.move(pipe, path, StandardCopyOption.REPLACE_EXISTING);
            Thread.sleep(50);
            Path next = Files.writeString(folder.resolve("next"), SECOND);
            Files.move(next, path, StandardCopyOption.REPLACE_EXISTING);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (applied.get() < 2 && System.nanoTime() < deadline) {
                Thread.sleep(5);
            }
            assertThat(applied).hasValue(2);
        }
    }

    private static void awaitSaid(ListAppender<ILoggingEvent> said, String text) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (List.copyOf(said.list).stream()
                        .noneMatch(line -> line.getFormattedMessage().contains(text))
                && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
    }

    @Test
    void fileThatCannotBeReadOrIsGoneIsSaidOnce() throws Exception {
        Path path = Files.writeString(folder.resolve("sigma.json"), FIRST);
        Logger logger = (Logger) LoggerFactory.getLogger(ConfigFile.class);
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        try (ConfigFile file = new ConfigFile(path, target(Future::succeededFuture), 1)) {
            file.open().await(10, TimeUnit.SECONDS);
            logger.addAppender(said);
            Files.delete(path);
            awaitSaid(said, "is gone");
            Files.createDirectory(path);
            awaitSaid(said, "not a regular file");
            Thread.sleep(50);
            Files.delete(path);
            Files.writeString(path, SECOND);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (applied.get() < 2 && System.nanoTime() < deadline) {
                Thread.sleep(5);
            }
            assertThat(applied).hasValue(2);
        } finally {
            logger.detachAppender(said);
        }
        assertThat(said.list)
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.contains("earlier configuration stays in use"))
                .satisfiesExactly(
                        gone -> assertThat(gone).contains("is gone"),
                        folder -> assertThat(folder).contains("it is not a regular file"));
    }

    @Test
    void fileIsFollowedAfterAFailureOfAnyKind() throws Exception {
        followed(() -> {
            if (applied.get() == 2) {
                throw new StackOverflowError();
            }
            return Future.succeededFuture();
        });
    }
}

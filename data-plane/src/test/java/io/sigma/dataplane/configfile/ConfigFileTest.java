package io.sigma.dataplane.configfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

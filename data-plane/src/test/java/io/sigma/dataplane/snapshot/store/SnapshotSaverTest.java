package io.sigma.dataplane.snapshot.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.Snapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotSaverTest {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    private Path dir;

    @Test
    void firstIsSavedAtOnceAndWhatComesFasterTogether() throws Exception {
        try (SnapshotSaver saver = new SnapshotSaver(new SnapshotStore(dir))) {
            long begun = System.nanoTime();
            saver.save(revision(1));
            awaitRevision(1);
            for (int i = 2; i <= 10; i++) {
                saver.save(revision(i));
            }
            awaitRevision(10);
            assertThat(System.nanoTime() - begun).isGreaterThan(SnapshotSaver.PAUSE_NANOS);
        }
        assertThat(dir.resolve("snapshot.bin")).isRegularFile();
    }

    @Test
    void closingWaitsForTheNewest() {
        try (SnapshotSaver saver = new SnapshotSaver(new SnapshotStore(dir))) {
            saver.save(revision(1));
            saver.save(revision(2));
            saver.save(revision(3));
        }
        assertThat(saved()).isEqualTo(3);
    }

    @Test
    void whatCouldNotBeSavedIsSavedOnceItCanBe() throws Exception {
        Path taken = dir.resolve("data");
        Files.writeString(taken, "a file where the folder should be");
        try (SnapshotSaver saver = new SnapshotSaver(new SnapshotStore(taken))) {
            saver.save(revision(3));
            long end = System.nanoTime() + PATIENCE_NANOS;
            while (saver.unsaved() == 0) {
                assertThat(System.nanoTime()).isLessThan(end);
                TimeUnit.MILLISECONDS.sleep(5);
            }
            Files.delete(taken);
            while (saver.unsaved() == 1) {
                assertThat(System.nanoTime()).isLessThan(end);
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
        assertThat(Objects.requireNonNull(new SnapshotStore(taken).load()).revision())
                .isEqualTo(3);
    }

    private void awaitRevision(long revision) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (saved() != revision) {
            assertThat(System.nanoTime()).as("revision on disk: " + saved()).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Another store reads what is there, as the next start does. */
    private long saved() {
        if (!Files.exists(dir.resolve("snapshot.bin"))) {
            return 0;
        }
        return Objects.requireNonNull(new SnapshotStore(dir).load()).revision();
    }

    private static Snapshot revision(long number) {
        return Snapshot.of(number, ConfigState.empty());
    }
}

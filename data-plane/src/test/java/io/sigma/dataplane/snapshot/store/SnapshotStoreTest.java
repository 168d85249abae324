package io.sigma.dataplane.snapshot.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.Upstream;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotStoreTest {

    @TempDir
    Path dir;

    private static EntityChange upstream(int number, String host) {
        Upstream upstream = Upstream.builder()
                .id("u" + number)
                .nodes(List.of(Node.builder().url("http://" + host).build()))
                .build();
        return new EntityChange(Kind.UPSTREAM, "u" + number, upstream);
    }

    private static Snapshot many(long revision, int count) {
        List<EntityChange> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            changes.add(upstream(i, "h" + Integer.toHexString(i * 0x9E3779B9)));
        }
        return Snapshot.NONE.advance(revision, changes);
    }

    /** Saves a snapshot and so many changes of it; returns the last. */
    private Snapshot saved(SnapshotStore store, int changes) throws IOException {
        Snapshot snapshot = many(1, 100);
        store.save(snapshot);
        for (int i = 0; i < changes; i++) {
            snapshot = snapshot.advance(i + 2, List.of(i % 5 == 4 ? gone(i) : upstream(i % 100, "changed-" + i)));
            store.save(snapshot);
        }
        return snapshot;
    }

    private static EntityChange gone(int number) {
        return new EntityChange(Kind.UPSTREAM, "u" + number, null);
    }

    private Snapshot loaded() {
        return Objects.requireNonNull(new SnapshotStore(dir).load());
    }

    @Test
    void everyChangeIsThereAfterARestart() throws IOException {
        Snapshot last = saved(new SnapshotStore(dir), 40);
        assertThat(loaded().revision()).isEqualTo(41);
        assertThat(loaded().hash()).isEqualTo(last.hash());
    }

    @Test
    void whatCannotBeReadIsNotTakenForDamaged() throws IOException {
        Snapshot last = saved(new SnapshotStore(dir), 3);
        Path file = dir.resolve("snapshot.bin");
        Path aside = Files.move(file, dir.resolve("aside"));
        Files.createDirectory(file);
        assertThat(new SnapshotStore(dir).load()).isNull();
        assertThat(file).exists();
        Files.delete(file);
        Files.move(aside, file);
        assertThat(loaded().revision()).isEqualTo(last.revision());
    }

    @Test
    void snapshotIsThereAlthoughWhatFollowedItCannotBeRead() throws IOException {
        saved(new SnapshotStore(dir), 3);
        Path journal = dir.resolve("snapshot.log");
        Files.delete(journal);
        Files.createDirectory(journal);
        assertThat(loaded().revision()).isEqualTo(1);
        SnapshotStore store = new SnapshotStore(dir);
        assertThat(store.load()).isNotNull();
        store.save(many(9, 10));
        assertThat(loaded().revision()).isEqualTo(9);
    }

    @Test
    void aChangeCostsWhatItHoldsAndTheFileIsWrittenAnewOnceTheyAreAsLarge() throws IOException {
        SnapshotStore store = new SnapshotStore(dir);
        Snapshot last = many(1, 40_000);
        store.save(last);
        long whole = Files.size(dir.resolve("snapshot.bin"));
        for (int revision = 2; revision < 8; revision++) {
            List<EntityChange> changes = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                changes.add(upstream(i, "r" + revision + "-" + Integer.toHexString(i * 0x85EBCA6B)));
            }
            last = last.advance(revision, changes);
            store.save(last);
            Path journal = dir.resolve("snapshot.log");
            assertThat(Files.exists(journal) ? Files.size(journal) : 0).isLessThanOrEqualTo(2 * whole);
            assertThat(loaded().hash()).isEqualTo(last.hash());
        }
    }

    @Test
    void aStepThatWasCutOffIsPassedOver() throws IOException {
        Snapshot last = saved(new SnapshotStore(dir), 3);
        Path journal = dir.resolve("snapshot.log");
        byte[] bytes = Files.readAllBytes(journal);
        Files.write(journal, new byte[] {0, 0, 1, 0, 7}, StandardOpenOption.APPEND);
        assertThat(loaded().hash()).isEqualTo(last.hash());

        Files.write(journal, Arrays.copyOf(bytes, bytes.length - 1));
        assertThat(loaded().revision()).isEqualTo(last.revision() - 1);
    }

    @Test
    void stepsOfAnOlderFileAreNotTakenForThoseOfTheNew() throws IOException {
        SnapshotStore store = new SnapshotStore(dir);
        Snapshot first = many(1, 100);
        store.save(first);
        Snapshot second = first.advance(2, List.of(upstream(7, "changed")));
        store.save(second);
        byte[] old = Files.readAllBytes(dir.resolve("snapshot.log"));
        // As after a crash between the new file, which is like the first one again, and the end of the old journal.
        new SnapshotStore(dir).save(second.advance(3, List.of(upstream(7, "h" + Integer.toHexString(7 * 0x9E3779B9)))));
        Files.write(dir.resolve("snapshot.log"), old);

        assertThat(loaded().revision()).isEqualTo(3);
        assertThat(loaded().hash()).isEqualTo(first.hash());
    }

    @Test
    void anotherHistoryReplacesWhatWasKept() throws IOException {
        SnapshotStore store = new SnapshotStore(dir);
        saved(store, 5);
        Snapshot other = many(2, 3);
        store.save(other);
        assertThat(loaded().revision()).isEqualTo(2);
        assertThat(loaded().hash()).isEqualTo(other.hash());
    }

    @Test
    void nobodyElseMayReadTheFiles() throws IOException {
        saved(new SnapshotStore(dir), 2);
        for (String name : List.of("snapshot.bin", "snapshot.log")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve(name))))
                    .isEqualTo("rw-------");
        }
    }
}

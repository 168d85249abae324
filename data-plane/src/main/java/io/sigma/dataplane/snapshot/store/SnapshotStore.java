package io.sigma.dataplane.snapshot.store;

import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotBody;
import io.sigma.snapshot.SnapshotProtocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last good snapshot on disk, so that a gateway starts without a control plane: a file that is replaced as a whole,
 * and a journal of what was served since, which costs what changed. When the journal is as large as the file, the file
 * is written again. What they hold is checked by its hash when it is read. Blocks; to be used by one thread at a time.
 */
public final class SnapshotStore {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotStore.class);
    private static final String NAME = "snapshot.bin";
    private static final String JOURNAL = "snapshot.log";

    /** A journal may be as large as this however small the snapshot is. */
    private static final long JOURNAL_BYTES_MIN = 256 << 10;

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final Path file;
    private final Path damaged;
    private final Path temporary;
    private final SnapshotJournal journal;

    /** The snapshot in the files; null if it is not known. */
    private @Nullable Snapshot saved;

    private long savedBytes;
    private long journalBytes;

    /**
     * @param dataDir is created when absent
     */
    public SnapshotStore(Path dataDir) {
        this.file = dataDir.resolve(NAME);
        this.damaged = dataDir.resolve(NAME + ".damaged");
        this.temporary = dataDir.resolve(NAME + ".new");
        this.journal = new SnapshotJournal(dataDir.resolve(JOURNAL));
    }

    /**
     * Returns what was kept; null when nothing was, when it cannot be read now, or when it is damaged, which is logged
     * and set aside. What cannot be read may be whole, as for another user, or when there are too many open files.
     */
    public @Nullable Snapshot load() {
        if (!Files.exists(file)) {
            return null;
        }
        try {
            if (Files.size(file) > SnapshotProtocol.SNAPSHOT_BYTES_MAX) {
                throw new IllegalArgumentException("larger than " + SnapshotProtocol.SNAPSHOT_BYTES_MAX + " bytes");
            }
            SnapshotBody body = SnapshotBody.decompress(Files.readAllBytes(file));
            Snapshot snapshot = Snapshot.of(body.revision(), ConfigState.empty().with(body.changes()));
            if (!snapshot.hash().hex().equals(body.stateHash())) {
                throw new IllegalArgumentException(
                        "state hash " + snapshot.hash().hex() + " (expected: " + body.stateHash() + ")");
            }
            return replayed(snapshot);
        } catch (IOException e) {
            LOG.error("The snapshot in {} cannot be read: {}", file, e.toString());
            return null;
        } catch (RuntimeException e) {
            LOG.error("The snapshot in {} is damaged and set aside as {}: {}", file, damaged, e.getMessage());
            setAside();
            return null;
        }
    }

    private Snapshot replayed(Snapshot base) {
        try {
            return journal.replay(base);
        } catch (IOException e) {
            LOG.error("The changes since revision {} cannot be read: {}", base.revision(), e.toString());
            return base;
        }
    }

    /**
     * Keeps {@code snapshot}; when this returns it survives a crash of the machine.
     *
     * @throws IOException when it cannot be written; what was kept before still is
     */
    public void save(Snapshot snapshot) throws IOException {
        Snapshot last = saved;
        // Until this one is there, it is not known what is.
        saved = null;
        if (last == null || snapshot.revision() <= last.revision() || !appended(last, snapshot)) {
            replace(snapshot);
        }
        saved = snapshot;
    }

    private boolean appended(Snapshot last, Snapshot snapshot) throws IOException {
        ByteBuffer record = SnapshotJournal.record(last, snapshot);
        long bytes = journalBytes + record.remaining();
        if (bytes > Math.max(savedBytes, JOURNAL_BYTES_MIN)) {
            return false;
        }
        journal.append(record, ownerOnly());
        journalBytes = bytes;
        return true;
    }

    private void replace(Snapshot snapshot) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, ownerOnly());
        ByteBuffer bytes = ByteBuffer.wrap(SnapshotBody.full(snapshot).compress());
        savedBytes = bytes.remaining();
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        journal.delete();
        journalBytes = 0;
        journal.forceDirectory();
    }

    /** There are private keys in it. */
    private FileAttribute<?>[] ownerOnly() {
        return temporary.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
    }

    private void setAside() {
        try {
            Files.move(file, damaged, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            LOG.warn("{} could not be set aside: {}", file, e.getMessage());
        }
    }
}

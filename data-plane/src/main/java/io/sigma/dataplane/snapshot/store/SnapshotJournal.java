package io.sigma.dataplane.snapshot.store;

import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotBody;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.StateHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The revisions that were served since a stored snapshot. Each record is a step to the next revision: its length, the
 * state hash before it, and a compressed {@link SnapshotBody}. A record that a crash cut off, or that begins with
 * another hash, is skipped. Blocks; to be used by one thread at a time.
 */
final class SnapshotJournal {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotJournal.class);
    private static final int HASH_BYTES = 64;

    private final Path file;

    SnapshotJournal(Path file) {
        this.file = file;
    }

    /** Returns the record of the step from one snapshot to a newer one. */
    static ByteBuffer record(Snapshot from, Snapshot to) {
        List<EntityChange> changes = new ArrayList<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            to.state()
                    .forEachChange(
                            from.state(),
                            type,
                            (id, before, after) -> changes.add(new EntityChange(type.kind(), id, after)));
        }
        byte[] body = new SnapshotBody(to.revision(), to.hash().hex(), changes).compress();
        ByteBuffer record = ByteBuffer.allocate(Integer.BYTES + HASH_BYTES + body.length);
        record.putInt(body.length).put(from.hash().hex().getBytes(StandardCharsets.US_ASCII));
        return record.put(body).flip();
    }

    /**
     * Adds a record; when this returns it survives a crash of the machine.
     *
     * @param permissions of the file where it is made
     */
    void append(ByteBuffer record, FileAttribute<?>... permissions) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, permissions);
            forceDirectory();
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            while (record.hasRemaining()) {
                channel.write(record);
            }
            channel.force(true);
        }
    }

    /** Makes the names of files in its directory survive a crash. */
    void forceDirectory() throws IOException {
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /** Returns where the records lead from {@code base}. */
    Snapshot replay(Snapshot base) throws IOException {
        if (!Files.exists(file) || Files.size(file) > SnapshotProtocol.SNAPSHOT_BYTES_MAX) {
            return base;
        }
        Snapshot reached = base;
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        while (bytes.remaining() >= Integer.BYTES + HASH_BYTES) {
            int length = bytes.getInt();
            byte[] from = new byte[HASH_BYTES];
            bytes.get(from);
            if (length < 0 || length > bytes.remaining()) {
                LOG.info("The last step after revision {} was cut off while it was written", reached.revision());
                return reached;
            }
            byte[] body = new byte[length];
            bytes.get(body);
            try {
                if (reached.hash().equals(StateHash.parse(new String(from, StandardCharsets.US_ASCII)))) {
                    reached = step(reached, SnapshotBody.decompress(body));
                }
            } catch (IllegalArgumentException e) {
                LOG.warn(
                        "The journal after revision {} in {} is damaged: {}", reached.revision(), file, e.getMessage());
                return reached;
            }
        }
        return reached;
    }

    private static Snapshot step(Snapshot from, SnapshotBody body) {
        if (body.revision() <= from.revision()) {
            return from;
        }
        Snapshot next = from.advance(body.revision(), body.changes());
        if (!next.hash().hex().equals(body.stateHash())) {
            throw new IllegalArgumentException(
                    "state hash " + next.hash().hex() + " (expected: " + body.stateHash() + ")");
        }
        return next;
    }

    void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}

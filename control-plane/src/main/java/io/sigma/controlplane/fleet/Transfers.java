package io.sigma.controlplane.fleet;

import io.vertx.core.Future;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Transfers by what they hold: gateways that ask for the same at once share one, and it is built once. The least
 * recently used ones go when there are too many, or too many bytes; a gateway in the middle of one then begins again.
 * Confined to the event loop of the fetch consumer.
 */
final class Transfers {

    static final int COUNT_MAX = 16;
    static final long BYTES_MAX = 64 << 20;

    /** @param fromRevision 0 for the full state */
    record Key(long fromRevision, String fromHash, long revision, String stateHash) {}

    private final Function<Callable<byte[]>, Future<byte[]>> offLoop;
    private final Map<Key, Future<SnapshotTransfer>> byKey = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, Key> keys = new LinkedHashMap<>();
    private long bytes;

    /** @param offLoop runs what blocks, one after the other, and completes on the event loop */
    Transfers(Function<Callable<byte[]>, Future<byte[]>> offLoop) {
        this.offLoop = offLoop;
    }

    /** Returns the transfer of {@code key}, built by {@code body} unless there is one. */
    Future<SnapshotTransfer> get(Key key, boolean full, Callable<byte[]> body) {
        Future<SnapshotTransfer> known = byKey.get(key);
        if (known != null) {
            return known;
        }
        String id = UUID.randomUUID().toString();
        Future<SnapshotTransfer> built = offLoop.apply(body)
                .map(compressed -> new SnapshotTransfer(id, full, key.revision(), key.stateHash(), compressed));
        byKey.put(key, built);
        keys.put(id, key);
        built.onComplete(done -> {
            if (done.succeeded()) {
                bytes += done.result().compressed().length;
                evict(key);
            } else {
                byKey.remove(key);
                keys.remove(id);
            }
        });
        return built;
    }

    /** Returns the transfer that was named {@code id}; null when it is gone. */
    @Nullable
    SnapshotTransfer find(String id) {
        Key key = keys.get(id);
        Future<SnapshotTransfer> found = key == null ? null : byKey.get(key);
        return found == null ? null : found.result();
    }

    /** Adds a transfer that is built already, to be found by its id. */
    void put(SnapshotTransfer transfer) {
        Key key = new Key(0, transfer.id(), transfer.revision(), transfer.stateHash());
        byKey.put(key, Future.succeededFuture(transfer));
        keys.put(transfer.id(), key);
        bytes += transfer.compressed().length;
        evict(key);
    }

    /** Drops what {@link #put} added, if it is still there. */
    void remove(String id) {
        Key key = keys.remove(id);
        Future<SnapshotTransfer> found = key == null ? null : byKey.remove(key);
        if (found != null && found.result() != null) {
            bytes -= found.result().compressed().length;
        }
    }

    /** The newest stays however large it is: else nobody could be sent it. */
    private void evict(Key newest) {
        Iterator<Map.Entry<Key, Future<SnapshotTransfer>>> oldestFirst =
                byKey.entrySet().iterator();
        while ((byKey.size() > COUNT_MAX || bytes > BYTES_MAX) && oldestFirst.hasNext()) {
            Map.Entry<Key, Future<SnapshotTransfer>> entry = oldestFirst.next();
            SnapshotTransfer transfer = entry.getValue().result();
            if (transfer != null && !entry.getKey().equals(newest)) {
                bytes -= transfer.compressed().length;
                keys.remove(transfer.id());
                oldestFirst.remove();
            }
        }
    }
}

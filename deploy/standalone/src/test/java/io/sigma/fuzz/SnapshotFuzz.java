package io.sigma.fuzz;

import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotBody;
import java.util.Arrays;

/**
 * Snapshots as a gateway gets and keeps them: what is read and applied is the same when it is written and read again.
 */
public final class SnapshotFuzz {

    private SnapshotFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        SnapshotBody body;
        try {
            body = SnapshotBody.decompress(data);
        } catch (IllegalArgumentException e) {
            return;
        }
        SnapshotBody again = SnapshotBody.decompress(body.compress());
        if (!again.equals(body)) {
            throw new AssertionError(again + " (expected: " + body + ")");
        }
        Snapshot applied = Snapshot.NONE.advance(1, body.changes());
        Snapshot whole = Snapshot.of(1, applied.state());
        if (!whole.hash().hex().equals(applied.hash().hex())) {
            throw new AssertionError("the hash of changes is not that of the state");
        }
        byte[] full = SnapshotBody.full(applied).compress();
        Snapshot read = Snapshot.NONE.advance(1, SnapshotBody.decompress(full).changes());
        if (!read.hash().hex().equals(applied.hash().hex())) {
            throw new AssertionError("another state after " + Arrays.toString(full));
        }
    }
}

package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.snapshot.FetchReply;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class TransfersTest {

    private record Work(Callable<byte[]> body, Promise<byte[]> promise) {}

    private final Deque<Work> work = new ArrayDeque<>();
    private final Transfers transfers = new Transfers(body -> {
        Promise<byte[]> promise = Promise.promise();
        work.add(new Work(body, promise));
        return promise.future();
    });

    private void build() throws Exception {
        while (!work.isEmpty()) {
            Work next = work.remove();
            next.promise().complete(next.body().call());
        }
    }

    private static Transfers.Key key(long revision) {
        return new Transfers.Key(0, "", revision, "hash");
    }

    private SnapshotTransfer built(long revision, int bytes) throws Exception {
        Future<SnapshotTransfer> transfer = transfers.get(key(revision), true, () -> new byte[bytes]);
        build();
        return transfer.result();
    }

    @Test
    void gatewaysThatAskForTheSameShareOneBody() throws Exception {
        Future<SnapshotTransfer> first = transfers.get(key(1), true, () -> new byte[10]);
        Future<SnapshotTransfer> second = transfers.get(key(1), true, () -> new byte[10]);

        assertThat(work).hasSize(1);
        build();
        assertThat(second.result()).isSameAs(first.result());
        assertThat(transfers.find(first.result().id())).isSameAs(first.result());
    }

    @Test
    void chunksPutTogetherAreTheBody() throws Exception {
        byte[] body = new byte[3 * SnapshotProtocol.CHUNK_BYTES + 1];
        new Random(1).nextBytes(body);
        SnapshotTransfer transfer = new SnapshotTransfer("id", true, 1, "hash", body);
        ByteArrayOutputStream together = new ByteArrayOutputStream();

        for (int chunk = 0; chunk < transfer.chunks(); chunk++) {
            FetchReply reply = transfer.reply(chunk);
            assertThat(reply.chunks()).isEqualTo(4);
            assertThat(reply.data().length).isLessThanOrEqualTo(SnapshotProtocol.CHUNK_BYTES);
            together.writeBytes(reply.data());
        }

        assertThat(together.toByteArray()).isEqualTo(body);
        assertThatThrownBy(() -> transfer.reply(4)).hasMessage("chunk: 4 (expected: 0..3)");
        assertThatThrownBy(() -> transfer.reply(-1)).hasMessageContaining("chunk: -1");
    }

    @Test
    void theLeastRecentlyUsedGoesWhenThereAreTooMany() throws Exception {
        SnapshotTransfer first = built(1, 1);
        SnapshotTransfer second = built(2, 1);
        for (int revision = 3; revision <= Transfers.COUNT_MAX; revision++) {
            built(revision, 1);
        }
        assertThat(transfers.find(first.id())).isSameAs(first);

        built(Transfers.COUNT_MAX + 1, 1);

        assertThat(transfers.find(first.id())).isSameAs(first);
        assertThat(transfers.find(second.id())).isNull();
    }

    @Test
    void theNewestStaysThoughItAloneIsTooLarge() throws Exception {
        SnapshotTransfer small = built(1, 1);

        SnapshotTransfer large = built(2, (int) Transfers.BYTES_MAX + 1);

        assertThat(transfers.find(small.id())).isNull();
        assertThat(transfers.find(large.id())).isSameAs(large);
    }

    @Test
    void aBodyThatCouldNotBeBuiltIsTriedAgain() throws Exception {
        Future<SnapshotTransfer> failed = transfers.get(key(1), true, () -> new byte[1]);
        work.remove().promise().fail("out of memory");

        assertThat(failed.failed()).isTrue();
        assertThat(built(1, 1).chunks()).isEqualTo(1);
    }
}

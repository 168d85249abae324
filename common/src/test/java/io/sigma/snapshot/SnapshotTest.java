package io.sigma.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.Upstream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SnapshotTest {

    private static EntityChange upstream(String id, @Nullable String url) {
        return new EntityChange(
                Kind.UPSTREAM,
                id,
                url == null
                        ? null
                        : Upstream.builder()
                                .id(id)
                                .nodes(List.of(Node.builder().url(url).build()))
                                .build());
    }

    @Test
    void theHashDoesNotDependOnOrder() {
        List<EntityChange> changes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            changes.add(upstream("u" + i, "http://node" + i));
        }
        StateHash hash = StateHash.of(ConfigState.empty().with(changes));
        Collections.shuffle(changes, new Random(7));
        assertThat(StateHash.of(ConfigState.empty().with(changes))).isEqualTo(hash);
        assertThat(StateHash.parse(hash.hex())).isEqualTo(hash);
    }

    @Test
    void theIncrementalHashEqualsTheRecomputedOne() {
        Snapshot snapshot = Snapshot.NONE;
        Random random = new Random(11);
        for (int revision = 1; revision <= 200; revision++) {
            String id = "u" + random.nextInt(10);
            String url = random.nextInt(4) == 0 ? null : "http://node" + random.nextInt(5);
            snapshot = snapshot.advance(revision, List.of(upstream(id, url), upstream("u0", "http://zero")));
            assertThat(snapshot.hash()).isEqualTo(StateHash.of(snapshot.state()));
        }
    }

    @Test
    void anEntityChangedTwiceInOneStepCountsOnce() {
        Snapshot twice = Snapshot.NONE.advance(1, List.of(upstream("u", "http://a"), upstream("u", "http://b")));
        Snapshot once = Snapshot.NONE.advance(1, List.of(upstream("u", "http://b")));
        assertThat(twice.hash()).isEqualTo(once.hash());
    }

    @Test
    void anEmptiedStateHashesAsTheEmptyOne() {
        Snapshot snapshot =
                Snapshot.NONE.advance(1, List.of(upstream("u", "http://a"))).advance(2, List.of(upstream("u", null)));
        assertThat(snapshot.hash()).isEqualTo(StateHash.EMPTY);
        assertThat(snapshot.hash().hex()).isEqualTo("0".repeat(64));
    }

    @Test
    void revisionsOnlyMoveForward() {
        Snapshot snapshot = Snapshot.NONE.advance(5, List.of());
        assertThatThrownBy(() -> snapshot.advance(5, List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBodySurvivesCompression() {
        Snapshot snapshot = Snapshot.NONE.advance(3, List.of(upstream("a", "http://a"), upstream("b", "http://b")));
        SnapshotBody body = SnapshotBody.decompress(SnapshotBody.full(snapshot).compress());
        Snapshot copy = Snapshot.NONE.advance(body.revision(), body.changes());
        assertThat(copy.hash()).isEqualTo(snapshot.hash());
        assertThat(copy.state().upstreams()).isEqualTo(snapshot.state().upstreams());
    }

    @Test
    void aShortChangeIsSentAsItIsAndALongOneCompressed() {
        SnapshotBody little = new SnapshotBody(2, "ab", List.of(upstream("a", "http://a")));
        SnapshotBody large = new SnapshotBody(2, "ab", List.of(upstream("a", "http://" + "a".repeat(5_000))));
        SnapshotBody deletion = new SnapshotBody(2, "ab", List.of(upstream("a", null)));

        assertThat(new String(little.compress(), UTF_8)).startsWith("{\"revision\":2,");
        assertThat(large.compress()).hasSizeLessThan(500);
        for (SnapshotBody body : List.of(little, large, deletion)) {
            assertThat(SnapshotBody.decompress(body.compress())).isEqualTo(body);
        }
    }

    @Test
    void damagedBodiesAreRefused() {
        byte[] little = new SnapshotBody(2, "ab", List.of(upstream("a", "http://a"))).compress();
        little[little.length - 1] = ' ';
        byte[] bytes = SnapshotBody.full(Snapshot.NONE).compress();
        bytes[bytes.length / 2] ^= 0x55;
        for (byte[] damaged : List.of(little, bytes, new byte[0])) {
            assertThatThrownBy(() -> SnapshotBody.decompress(damaged)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aChangeMustSayItsKindBeforeItsResource() {
        for (String change : List.of(
                "{\"id\":\"a\"}",
                "{\"id\":\"a\",\"resource\":{\"id\":\"a\"},\"kind\":\"ROUTE\"}",
                "{\"kind\":\"NO_KIND\",\"id\":\"a\"}",
                "[]",
                "{\"kind\":\"ROUTE\",\"id\":\"a\",\"resource\":{\"id\":7}")) {
            byte[] body = "{\"revision\":1,\"stateHash\":\"\",\"changes\":[%s]}"
                    .formatted(change)
                    .getBytes(UTF_8);
            assertThatThrownBy(() -> SnapshotBody.decompress(body))
                    .describedAs(change)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void unchangedKindsAreShared() {
        ConfigState before = ConfigState.empty().with(List.of(upstream("a", "http://a")));
        ConfigState after = before.with(List.of(new EntityChange(Kind.ROUTE, "none", null)));
        assertThat(after.upstreams()).isSameAs(before.upstreams());
    }
}

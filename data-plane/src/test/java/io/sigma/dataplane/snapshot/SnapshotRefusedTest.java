package io.sigma.dataplane.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SnapshotRefusedTest {

    @Test
    void pointerIsSaidOnceWhoeverSaysIt() {
        for (String message : new String[] {"\"x\" (expected: y)", "/routes/a/path: \"x\" (expected: y)"}) {
            SnapshotRefused refused = new SnapshotRefused("/routes/a/path", message);
            assertThat(refused.pointer()).isEqualTo("/routes/a/path");
            assertThat(refused.detail()).isEqualTo("\"x\" (expected: y)");
            assertThat(refused).hasMessage("/routes/a/path: \"x\" (expected: y)");
        }
        assertThat(new SnapshotRefused("", "absent")).hasMessage("absent");
    }

    @Test
    void furtherPointersStay() {
        assertThat(new SnapshotRefused("/a", "/a: one; /b: two").detail()).isEqualTo("one; /b: two");
    }
}

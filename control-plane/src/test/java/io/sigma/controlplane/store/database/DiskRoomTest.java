package io.sigma.controlplane.store.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DiskRoomTest {

    private long now = 5;
    private int asked;
    private boolean stores;

    private final DiskRoom room = new DiskRoom(() -> now, () -> {
        asked++;
        return stores;
    });

    @Test
    void databaseIsAskedNowAndThenUntilItHasRoom() {
        assertThat(room.isThere()).isTrue();
        room.ranOut();
        assertThat(room.isThere()).isFalse();
        assertThat(asked).isZero();
        now += DiskRoom.AGAIN_NANOS;
        assertThat(room.isThere()).isFalse();
        assertThat(room.isThere()).isFalse();
        assertThat(asked).isEqualTo(1);
        stores = true;
        now += DiskRoom.AGAIN_NANOS;
        assertThat(room.isThere()).isTrue();
        assertThat(room.isThere()).isTrue();
        assertThat(asked).isEqualTo(2);
    }
}

package io.sigma.dataplane.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PasswordQueueTest {

    private final PasswordQueue queue = new PasswordQueue(1);

    private PasswordQueue.Turn joined(String address) {
        return Objects.requireNonNull(queue.join(address));
    }

    @Test
    void anAddressThatHasTriedNoWrongPasswordComesFirst() {
        PasswordQueue.Turn first = joined("a");
        assertThat(first.await()).isTrue();
        PasswordQueue.Turn second = joined("a");
        PasswordQueue.Turn third = joined("a");
        PasswordQueue.Turn other = joined("b");

        // By now address a has one wrong password, but who waits keeps the place.
        first.leave(false);
        assertThat(second.await()).isTrue();
        PasswordQueue.Turn later = joined("a");
        second.leave(false);
        assertThat(other.await()).isTrue();
        other.leave(true);
        assertThat(third.await()).isTrue();
        third.leave(false);
        assertThat(later.await()).isTrue();
        later.leave(true);
        assertThat(joined("a").await()).isTrue();
    }

    @Test
    void oneAddressKeepsNoOtherOut() {
        joined("a");
        int waiting = 0;
        while (queue.join("a") != null) {
            waiting++;
        }

        assertThat(waiting).isEqualTo(32);
        assertThat(queue.join("b")).isNotNull();
    }

    @Test
    void whoComesLastGivesWay() {
        PasswordQueue.Turn running = joined("bad-0");
        running.leave(false);
        joined("x");
        List<PasswordQueue.@Nullable Turn> waiting = new ArrayList<>();
        waiting.add(queue.join("bad-0"));
        for (int i = 1; i < 32; i++) {
            waiting.add(queue.join("good-" + i));
        }
        assertThat(waiting).doesNotContainNull();

        assertThat(queue.join("good-32")).isNotNull();
        assertThat(Objects.requireNonNull(waiting.getFirst()).await()).isFalse();
        assertThat(queue.join("bad-0")).isNull();
    }
}

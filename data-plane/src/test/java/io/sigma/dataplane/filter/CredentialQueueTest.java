package io.sigma.dataplane.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CredentialQueueTest {

    private final CredentialQueue queue = new CredentialQueue(1, 32);

    private CredentialQueue.Turn joined(String address) {
        return Objects.requireNonNull(queue.join(address));
    }

    @Test
    void anAddressThatHasTriedNoWrongPasswordComesFirst() {
        CredentialQueue.Turn first = joined("a");
        assertThat(first.await()).isTrue();
        CredentialQueue.Turn second = joined("a");
        CredentialQueue.Turn third = joined("a");
        CredentialQueue.Turn other = joined("b");

        // By now address a has one wrong password, but who waits keeps the place.
        first.leave(false);
        assertThat(second.await()).isTrue();
        CredentialQueue.Turn later = joined("a");
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
        CredentialQueue.Turn running = joined("bad-0");
        running.leave(false);
        joined("x");
        List<CredentialQueue.@Nullable Turn> waiting = new ArrayList<>();
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

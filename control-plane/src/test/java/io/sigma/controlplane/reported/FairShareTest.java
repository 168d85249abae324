package io.sigma.controlplane.reported;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class FairShareTest {

    @Test
    void whoWantsLittleGetsItAndTheRestIsDividedEqually() {
        assertThat(FairShare.of(List.of(), 10)).isEqualTo(Long.MAX_VALUE);
        assertThat(FairShare.of(List.of(4L, 6L), 10)).isEqualTo(Long.MAX_VALUE);
        assertThat(FairShare.of(List.of(1_000L, 6L), 10)).isEqualTo(5);
        assertThat(FairShare.of(List.of(1_000L, 1L, 900L), 11)).isEqualTo(5);
        assertThat(FairShare.of(List.of(5L, 5L, 5L), 2)).isZero();
    }
}

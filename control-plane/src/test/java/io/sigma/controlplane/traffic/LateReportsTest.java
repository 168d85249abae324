package io.sigma.controlplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LateReportsTest {

    private final LateReports late = new LateReports();

    private int taken(String gatewayId, long now) {
        int taken = 0;
        while (late.take(gatewayId, now)) {
            taken++;
        }
        return taken;
    }

    @Test
    void gatewayThatIsAlwaysLateRunsOut() {
        assertThat(taken("liar", 1_000)).isEqualTo(LateReports.SLOTS_MAX);
        assertThat(taken("liar", 1_000 + LateReports.SECONDS_MAX / 10)).isEqualTo(LateReports.SLOTS_MAX / 10);
        assertThat(taken("edge", 1_000)).isEqualTo(LateReports.SLOTS_MAX);
        assertThat(taken("liar", 10_000)).isEqualTo(LateReports.SLOTS_MAX);
    }

    @Test
    void clockThatGoesBackGivesNothing() {
        taken("edge", 1_000);
        assertThat(taken("edge", 10)).isZero();
    }
}

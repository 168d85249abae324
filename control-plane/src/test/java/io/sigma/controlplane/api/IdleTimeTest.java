package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.api.operation.Operations;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.controlplane.testing.TestSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdleTimeTest {

    private static int seconds(String... settings) {
        ControlPlaneSettings read = TestSettings.of(Path.of("unused"), "postgresql://localhost/sigma", settings);
        return AdminServer.idleSeconds(read);
    }

    @Test
    void aConnectionIsKeptForHundredAndTenSecondsByDefault() {
        // 60 for acknowledgements, 2 for votes, twice 13 behind other writers, 22 for the rest.
        assertThat(seconds()).isEqualTo(110);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2_000, 60_000})
    void theLongestWriteIsAnsweredBeforeItsConnectionIsIdle(int voteMillis) {
        Duration behindOthers = Duration.ofSeconds(2 * 5).plusMillis(2L * voteMillis);
        Duration write = Operations.ANSWERS_WAIT_MAX
                .plusMillis(voteMillis)
                .plus(behindOthers)
                .plus(Operations.FINDINGS_WAIT_MAX);
        assertThat(Duration.ofSeconds(seconds("gatewayVoteMillis", String.valueOf(voteMillis))))
                .isGreaterThan(write.plusSeconds(10));
    }
}

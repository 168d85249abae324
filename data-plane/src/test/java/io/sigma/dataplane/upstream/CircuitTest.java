package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.model.CircuitBreaker;
import io.sigma.model.Upstream;
import io.sigma.model.UpstreamLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CircuitTest {

    private static final long MILLI = 1_000_000;

    private final Circuit circuit = new Circuit(
            "test",
            CircuitBreaker.builder()
                    .failurePercent(50)
                    .requestsMin(10)
                    .windowMillis(1000)
                    .openMillis(500)
                    .probeRequests(2)
                    .build(),
            2,
            0,
            what -> {});

    private void end(int requests, boolean failure, long now) {
        for (int i = 0; i < requests; i++) {
            circuit.ended(i % 2, failure, now, now);
        }
    }

    @Test
    void itOpensWhenTheShareOfFailuresOverAllLoopsIsReached() {
        end(6, false, MILLI);
        end(5, true, MILLI);
        assertThat(circuit.admit(MILLI)).isTrue();
        end(1, true, MILLI);
        assertThat(circuit.state()).isEqualTo(Circuit.State.OPEN);
        assertThat(circuit.admit(2 * MILLI)).isFalse();
    }

    @Test
    void fewRequestsDoNotOpenIt() {
        end(9, true, MILLI);
        assertThat(circuit.state()).isEqualTo(Circuit.State.CLOSED);
    }

    @Test
    void failuresOfLongAgoDoNotCount() {
        end(9, true, MILLI);
        end(9, true, 1100 * MILLI);
        assertThat(circuit.state()).isEqualTo(Circuit.State.CLOSED);
    }

    private void open() {
        end(10, true, MILLI);
        assertThat(circuit.admit(500 * MILLI)).isFalse();
    }

    @Test
    void afterARestItLetsAFewProbesThroughAndClosesWhenTheySucceed() {
        open();
        assertThat(circuit.admit(502 * MILLI)).isTrue();
        assertThat(circuit.admit(502 * MILLI)).isTrue();
        assertThat(circuit.admit(502 * MILLI)).isFalse();
        end(2, false, 503 * MILLI);
        assertThat(circuit.state()).isEqualTo(Circuit.State.CLOSED);
        end(1, true, 504 * MILLI);
        assertThat(circuit.admit(504 * MILLI)).isTrue();
    }

    @Test
    void aProbeThatFailsOpensItAgain() {
        open();
        assertThat(circuit.admit(502 * MILLI)).isTrue();
        end(1, true, 503 * MILLI);
        assertThat(circuit.state()).isEqualTo(Circuit.State.OPEN);
        assertThat(circuit.admit(900 * MILLI)).isFalse();
        assertThat(circuit.admit(1004 * MILLI)).isTrue();
    }

    @Test
    void requestsThatBeganBeforeTheProbesSayNothing() {
        open();
        assertThat(circuit.admit(502 * MILLI)).isTrue();
        circuit.ended(0, true, 400 * MILLI, 503 * MILLI);
        assertThat(circuit.state()).isEqualTo(Circuit.State.HALF_OPEN);
    }

    @Test
    void probesThatNeverEndAreFollowedByOthers() {
        open();
        assertThat(circuit.admit(502 * MILLI)).isTrue();
        assertThat(circuit.admit(502 * MILLI)).isTrue();
        assertThat(circuit.admit(600 * MILLI)).isFalse();
        assertThat(circuit.admit(1003 * MILLI)).isTrue();
    }

    /** The time to its head says nothing of when a long answer began. */
    @Test
    void endOfALongAnswerFromBeforeIsNoProbe() {
        Upstream.Builder upstream = Upstream.builder()
                .id("test")
                .limits(UpstreamLimits.builder()
                        .circuitBreaker(CircuitBreaker.builder()
                                .requestsMin(1)
                                .openMillis(100)
                                .probeRequests(1)
                                .build())
                        .build());
        Member member = Endpoints.member(1, 1);
        UpstreamCluster cluster = UpstreamCluster.of("test", Endpoints.policy(upstream), List.of(member), 1, null);
        long now = System.nanoTime();
        long before = now;
        cluster.begun(0, member.endpoint());
        cluster.begun(0, member.endpoint());
        cluster.ended(0, member.endpoint(), Outcome.RESET, MILLI, now, now + MILLI);
        assertThat(cluster.admit(0, now + 2 * MILLI)).isEqualTo(ErrorKind.CIRCUIT_OPEN);
        assertThat(cluster.admit(0, now + 200 * MILLI)).isNull();
        cluster.ended(0, member.endpoint(), Outcome.SUCCESS, MILLI, before, now + 250 * MILLI);
        assertThat(cluster.admit(0, now + 251 * MILLI)).isEqualTo(ErrorKind.CIRCUIT_OPEN);
    }
}

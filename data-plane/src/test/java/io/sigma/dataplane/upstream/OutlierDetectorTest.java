package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.OutlierDetection;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OutlierDetectorTest {

    private static final long MILLI = 1_000_000;

    private final List<Member> members = List.of(Endpoints.members(4));

    private OutlierDetector detector(OutlierDetection.Builder settings) {
        return new OutlierDetector(
                settings.ejectionMillis(1000)
                        .ejectionMillisMax(2500)
                        .windowMillis(10_000)
                        .build(),
                members,
                0);
    }

    private NodeHealth health(int node) {
        return members.get(node).endpoint().health();
    }

    private void end(OutlierDetector detector, int node, int requests, Outcome outcome, long nanos) {
        NodeEndpoint endpoint = members.get(node).endpoint();
        for (int i = 0; i < requests; i++) {
            endpoint.load(0).begun();
            endpoint.load(0).ended(outcome, nanos, 0);
            detector.ended(endpoint, outcome, 0);
        }
    }

    @Test
    void ejectionsGoOnInAnotherProcess() {
        OutlierDetector before = detector(OutlierDetection.builder());
        end(before, 0, 5, Outcome.ERROR_STATUS, MILLI);
        long[] ejections = before.ejections(members.get(0).endpoint(), 400 * MILLI);
        assertThat(ejections).containsExactly(1, 600);

        OutlierDetector after = detector(OutlierDetection.builder());
        after.ejections(members.get(1).endpoint(), ejections, "5 failures in a row", 0);
        assertThat(health(1).view().state()).isEqualTo(HealthState.EJECTED);
        after.tick(599 * MILLI);
        assertThat(health(1).isUsable()).isFalse();
        after.tick(601 * MILLI);
        assertThat(health(1).isUsable()).isTrue();
        assertThat(after.ejections(members.get(1).endpoint(), 601 * MILLI)).containsExactly(1, 0);
    }

    @Test
    void failuresInARowEjectAtOnce() {
        OutlierDetector detector = detector(OutlierDetection.builder());
        end(detector, 0, 4, Outcome.ERROR_STATUS, MILLI);
        end(detector, 0, 1, Outcome.SUCCESS, MILLI);
        end(detector, 0, 4, Outcome.TIMEOUT, MILLI);
        assertThat(health(0).isUsable()).isTrue();
        end(detector, 0, 1, Outcome.CONNECT_FAILED, 0);
        assertThat(health(0).isUsable()).isFalse();
        assertThat(health(0).view().state()).isEqualTo(HealthState.EJECTED);
        assertThat(health(0).view().reason()).contains("5 failures in a row", "no connection");
        assertThat(health(0).view().events())
                .singleElement()
                .satisfies(event -> assertThat(event.cause()).isEqualTo(HealthEvent.Cause.PASSIVE));
    }

    @Test
    void requestsThatWereGivenUpSayNothing() {
        OutlierDetector detector = detector(OutlierDetection.builder());
        end(detector, 0, 10, Outcome.CANCELLED, MILLI);
        assertThat(health(0).isUsable()).isTrue();
    }

    @Test
    void eachEjectionIsLongerUpToALimit() {
        OutlierDetector detector = detector(OutlierDetection.builder());
        long now = 0;
        for (long expected : new long[] {1000, 2000, 2500, 2500}) {
            for (int i = 0; i < 5; i++) {
                detector.ended(members.getFirst().endpoint(), Outcome.RESET, now);
            }
            detector.tick(now + (expected - 1) * MILLI);
            assertThat(health(0).isUsable()).isFalse();
            now += expected * MILLI;
            detector.tick(now);
            assertThat(health(0).isUsable()).isTrue();
        }
    }

    @Test
    void aShareOfTheNodesOnlyIsEjected() {
        OutlierDetector detector = detector(OutlierDetection.builder().ejectedPercentMax(50));
        for (int node = 0; node < 4; node++) {
            end(detector, node, 5, Outcome.RESET, MILLI);
        }
        assertThat(List.of(0, 1, 2, 3))
                .filteredOn(node -> health(node).isUsable())
                .hasSize(2);
    }

    @Test
    void aShareOfFailuresEjectsWhenThereWereEnoughRequests() {
        OutlierDetector detector =
                detector(OutlierDetection.builder().consecutiveFailures(0).requestsMin(20));
        end(detector, 0, 10, Outcome.SUCCESS, MILLI);
        end(detector, 0, 10, Outcome.ERROR_STATUS, MILLI);
        end(detector, 1, 19, Outcome.ERROR_STATUS, MILLI);
        end(detector, 2, 20, Outcome.SUCCESS, MILLI);
        detector.tick(9_999 * MILLI);
        assertThat(health(0).isUsable()).isTrue();
        detector.tick(10_000 * MILLI);
        assertThat(health(0).isUsable()).isFalse();
        assertThat(health(0).view().reason()).contains("50 % of 20 requests failed");
        assertThat(health(1).isUsable()).isTrue();
        assertThat(health(2).isUsable()).isTrue();
    }

    @Test
    void aNodeThatIsMuchSlowerThanTheOthersIsEjected() {
        OutlierDetector detector = detector(OutlierDetection.builder().latencyFactor(3));
        end(detector, 0, 20, Outcome.SUCCESS, 40 * MILLI);
        end(detector, 1, 20, Outcome.SUCCESS, 10 * MILLI);
        end(detector, 2, 20, Outcome.SUCCESS, 12 * MILLI);
        detector.tick(10_000 * MILLI);
        assertThat(health(0).isUsable()).isFalse();
        assertThat(health(0).view().reason()).contains("40.0 ms").contains("11.0 ms");
        assertThat(health(1).isUsable()).isTrue();
    }
}

package io.sigma.inprocess.fleet;

import static io.sigma.inprocess.testkit.Waiting.await;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.traffic.TrafficCells;
import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.inprocess.testkit.MemoryLog;
import io.sigma.inprocess.testkit.WithInstallation;
import io.sigma.model.Kind;
import io.sigma.model.Route;
import io.sigma.model.TrafficFigures;
import io.sigma.snapshot.DurationBuckets;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.TrafficEntry;
import io.sigma.snapshot.TrafficReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reports of gateways are counted once, whichever control planes receive them. */
class TrafficReportsTest extends WithInstallation {

    private static final Instant STARTED = Instant.parse("2025-01-01T00:00:00Z");

    @BeforeEach
    void configure() {
        Route route =
                Route.builder().id("a").routerId("r").path("/").proxyPassId("p").build();
        installation.log().commit(MemoryLog.upstream("u", "u.test"), new EntityChange(Kind.ROUTE, "a", route));
    }

    private static TrafficEntry entry(TrafficEntry.Kind kind, String id, long ok, long failed, long micros) {
        return new TrafficEntry(
                kind, id, List.of(0L, 0L, ok, 0L, 0L, failed), 10, 20, List.of(DurationBuckets.of(micros * 1000), (int)
                        (ok + failed)));
    }

    private static TrafficReport report(String gateway, Instant started, long sequence, TrafficEntry... entries) {
        return new TrafficReport(gateway, started, sequence, 0, List.of(entries));
    }

    private static TrafficFigures total(Installation.ControlPlane controlPlane, String kind, String id)
            throws Exception {
        Instant now = Instant.now();
        TrafficCells total = new TrafficCells();
        await(controlPlane
                        .fleet()
                        .traffic()
                        .series(
                                TrafficLog.COARSE_SECONDS,
                                kind,
                                id,
                                now.minus(Duration.ofHours(1)),
                                now.plusSeconds(60)))
                .values()
                .forEach(total::add);
        return total.figures(60);
    }

    @Test
    void whatIsRepeatedAtAnotherControlPlaneIsCountedOnce() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        TrafficReport first = report("edge", STARTED, 1, entry(TrafficEntry.Kind.ROUTE, "a", 5, 1, 1000));
        TrafficReport second = report("edge", STARTED, 2, entry(TrafficEntry.Kind.ROUTE, "a", 4, 0, 1000));

        await(one.fleet().traffic().heard(first));
        await(two.fleet().traffic().heard(first));
        await(two.fleet().traffic().heard(second));
        await(one.fleet().traffic().heard(first));
        // The gateway was started again: it counts from one.
        await(one.fleet()
                .traffic()
                .heard(report("edge", STARTED.plusSeconds(1), 1, entry(TrafficEntry.Kind.ROUTE, "a", 100, 0, 1000))));

        assertThat(total(one, "ROUTE", "a").requests()).isEqualTo(110);
        assertThat(total(two, "ROUTE", "a")).isEqualTo(total(one, "ROUTE", "a"));
        assertThat(total(two, "ROUTE", "a").status5xx()).isEqualTo(1);
    }

    @Test
    void steadyTrafficLeavesNoSlotOutThoughReportsDrift() throws Exception {
        TrafficLog log = installation.controlPlane("one").fleet().traffic();
        // Spans of 5 s whose ends move on against the slots, as a timer that is a little late moves them.
        int reports = 60;
        for (int i = 0; i < reports; i++) {
            long age = 5_330L * (reports - i);
            await(log.heard(new TrafficReport(
                    "edge", STARTED, i + 1, age, List.of(entry(TrafficEntry.Kind.GATEWAY, "edge", 100, 0, 1000)))));
        }
        Instant now = Instant.now();
        Instant from = now.minusSeconds(280);
        Instant to = now.minusSeconds(20);
        var series = await(log.series(TrafficLog.FINE_SECONDS, TrafficLog.ALL, "", from, to));
        assertThat(series).hasSizeBetween(51, 53);
        assertThat(series.values())
                .allSatisfy(cells -> assertThat(cells.requests()).isBetween(85L, 101L));
        assertThat(await(log.reported(TrafficLog.FINE_SECONDS, null, from, to)))
                .containsExactlyElementsOf(series.keySet());
    }

    @Test
    void aGatewayToWhichNothingComesIsKnownToRun() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        installation.gateway("edge", List::of, one.port());
        until("a slot without requests is noted", () -> slots(one) > 0);
        assertThat(total(one, TrafficLog.ALL, "").requests()).isZero();
    }

    @Test
    void histogramsOfSeveralGatewaysAreMerged() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        await(one.fleet()
                .traffic()
                .heard(report(
                        "edge-1",
                        STARTED,
                        1,
                        entry(TrafficEntry.Kind.GATEWAY, "edge-1", 90, 0, 1000),
                        entry(TrafficEntry.Kind.UPSTREAM, "u", 90, 0, 1000))));
        await(two.fleet()
                .traffic()
                .heard(report(
                        "edge-2",
                        STARTED,
                        1,
                        entry(TrafficEntry.Kind.GATEWAY, "edge-2", 0, 10, 200_000),
                        entry(TrafficEntry.Kind.UPSTREAM, "u", 0, 10, 200_000))));

        TrafficFigures merged = total(one, "UPSTREAM", "u");
        assertThat(merged.requests()).isEqualTo(100);
        assertThat(merged.p50Millis()).isBetween(0.95, 1.07);
        assertThat(merged.p95Millis()).isBetween(190.0, 212.0);
        assertThat(merged.bytesIn()).isEqualTo(20);
        assertThat(total(one, TrafficLog.ALL, "").requests()).isEqualTo(100);
        assertThat(total(one, "GATEWAY", "edge-2").status5xx()).isEqualTo(10);
        Instant now = Instant.now();
        assertThat(await(one.fleet()
                        .traffic()
                        .top(60, "GATEWAY", now.minusSeconds(3600), now.plusSeconds(60), "failures", 1)))
                .containsOnlyKeys("edge-2");
    }

    @Test
    void whatCameWhileAControlPlaneWasAwayIsNotLost() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        AtomicBoolean more = new AtomicBoolean(true);
        List<Integer> cuts = new ArrayList<>();
        Supplier<List<TrafficEntry>> spans = () -> {
            List<TrafficEntry> span = more.get() ? List.of(entry(TrafficEntry.Kind.ROUTE, "a", 7, 0, 1000)) : List.of();
            cuts.add(span.size());
            return span;
        };
        installation.gateway("edge", spans, one.port(), two.port());
        until("the first span is counted", () -> requests(two) >= 7);

        installation.kill(one);
        until("a further one is", () -> requests(two) >= 14);
        more.set(false);

        until(
                "each is counted once",
                () -> requests(two)
                        == 7L * cuts.stream().mapToInt(Integer::intValue).sum());
    }

    private static int slots(Installation.ControlPlane controlPlane) {
        try {
            Instant now = Instant.now();
            return await(controlPlane
                            .fleet()
                            .traffic()
                            .reported(TrafficLog.FINE_SECONDS, "edge", now.minusSeconds(60), now.plusSeconds(5)))
                    .size();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static long requests(Installation.ControlPlane controlPlane) {
        try {
            return total(controlPlane, "ROUTE", "a").requests();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aGatewaySpeaksOfNoOtherAndOfNothingThatCannotBe() throws Exception {
        TrafficLog log = installation.controlPlane("one").fleet().traffic();

        assertThatThrownBy(
                        () -> log.heard(report("edge", STARTED, 1, entry(TrafficEntry.Kind.GATEWAY, "other", 1, 0, 1))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.heard(report("edge", STARTED, 1, entry(TrafficEntry.Kind.ROUTE, "a", -1, 0, 1))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.heard(report(
                        "edge",
                        STARTED,
                        1,
                        new TrafficEntry(
                                TrafficEntry.Kind.ROUTE, "a", List.of(1L, 0L, 0L, 0L, 0L, 0L), 0, 0, List.of(400, 1)))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

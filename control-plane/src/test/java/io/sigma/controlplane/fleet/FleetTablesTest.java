package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.model.AnswerKind;
import io.sigma.model.GatewayAck;
import io.sigma.model.NodeEvent;
import io.sigma.model.NodeEventCause;
import io.sigma.model.NodeState;
import io.sigma.model.Refusal;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.HealthReport;
import io.sigma.snapshot.NodeReport;
import io.sigma.snapshot.Proposal;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.StateHash;
import io.sigma.snapshot.TrafficEntry;
import io.sigma.snapshot.TrafficReport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What gateways say reaches the tables, with a database that fails now and then, and gateways that say odd things. */
@Timeout(120)
final class FleetTablesTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path dir;

    private final Vertx vertx = Vertx.vertx();
    private String url = "";
    private @Nullable Store store;
    private @Nullable FleetServer fleet;

    @BeforeEach
    void start() throws Exception {
        url = TestDatabase.fresh();
        store = Store.open(vertx, TestSettings.of(dir, url));
        FleetSettings settings = new FleetSettings(
                "one",
                null,
                Duration.ofSeconds(10),
                Duration.ofMinutes(10),
                0,
                false,
                new TrafficLog.Limits(100, Duration.ofHours(1), Duration.ofDays(1)),
                new FleetSettings.NodeHistory(Duration.ofDays(1), 100));
        fleet = await(FleetServer.start(
                vertx, store.database().pool(), store.database().notifications(), store.log(), settings));
    }

    @AfterEach
    void stop() throws Exception {
        if (fleet != null) {
            await(fleet.close());
        }
        if (store != null) {
            await(store.close());
        }
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(30, TimeUnit.SECONDS);
    }

    private FleetServer fleet() {
        return java.util.Objects.requireNonNull(fleet);
    }

    private Future<?> say(String id, Instant startedAt, long revision, @Nullable Refusal refusal) {
        GatewayStatus status =
                new GatewayStatus(id, "host", "1", startedAt, revision, StateHash.EMPTY.hex(), refusal, false);
        return vertx.eventBus().request(SnapshotProtocol.STATUS, FleetJson.of(status));
    }

    private static Refusal refusal(long revision) {
        return Refusal.builder()
                .revision(revision)
                .pointer("/routes/a")
                .message("wrong")
                .build();
    }

    @Test
    void anAnswerThatCannotBeWrittenIsWrittenLater() throws Exception {
        TestDatabase.execute(url, "alter table gateway_answers rename to elsewhere");
        await(say("edge", STARTED, 3, refusal(4)));
        Eventually.holds(
                "the status is written",
                LIMIT,
                () -> !TestDatabase.query(url, "select id from gateways").isEmpty());
        TestDatabase.execute(url, "alter table elsewhere rename to gateway_answers");
        Eventually.holds(
                "the refusal is written",
                LIMIT,
                () -> TestDatabase.query(url, "select gateway_id from gateway_answers where refused and revision = 4")
                        .contains("edge"));
    }

    @Test
    void aRefusalOfARevisionThatCannotBeYetIsNotKept() throws Exception {
        // Nothing would ever delete it, and a gateway could send others without end.
        await(say("edge", STARTED, 3, refusal(5_000_000_000L)));
        await(say("other", STARTED, 3, refusal(4)));
        Eventually.holds(
                "what is said later is written",
                LIMIT,
                () -> !TestDatabase.query(url, "select gateway_id from gateway_answers where gateway_id = 'other'")
                        .isEmpty());
        assertThat(TestDatabase.query(url, "select revision from gateway_answers"))
                .containsExactly("4");
    }

    @Test
    void aRefusalOfWhichOnlyTheRegistryKnowsIsTold() throws Exception {
        await(say("edge", STARTED, 3, refusal(4)));
        Eventually.holds(
                "the refusal is written",
                LIMIT,
                () -> !TestDatabase.query(url, "select 1 from gateway_answers where refused")
                        .isEmpty());
        TestDatabase.execute(url, "delete from gateway_answers");
        assertThat(await(fleet().acks(4, STARTED))).singleElement().satisfies(ack -> {
            assertThat(ack.answer()).isEqualTo(AnswerKind.NACK);
            assertThat(ack.answerRevision()).isEqualTo(4);
            assertThat(ack.refusal()).isEqualTo(refusal(4));
        });
        assertThat(await(fleet().acks(5, STARTED)))
                .extracting(GatewayAck::answer)
                .containsExactly(AnswerKind.PENDING);
        // What it serves is no revision of this database: it acknowledges none.
        assertThat(await(fleet().acks(3, STARTED)))
                .extracting(GatewayAck::answer)
                .containsExactly(AnswerKind.NACK);
    }

    @Test
    void aClockOfTheDatabaseThatWentBackHoldsUpNoStatus() throws Exception {
        await(say("edge", STARTED, 0, null));
        Eventually.holds(
                "the status is written",
                LIMIT,
                () -> !TestDatabase.query(url, "select id from gateways").isEmpty());
        // As it was an hour ago by the clock of then; and what another control plane said.
        TestDatabase.execute(url, "update gateways set last_seen = now() + interval '1 hour', control_plane = 'two'");

        await(say("edge", STARTED, 0, refusal(4)));

        Eventually.holds(
                "the next one is written",
                LIMIT,
                () -> TestDatabase.query(url, "select control_plane from gateways where refusal is not null")
                        .equals(List.of("one")));
    }

    @Test
    void aGatewayThatWasSeenInTheFutureIsLostAtLast() throws Exception {
        await(say("edge", STARTED, 3, null));
        Eventually.holds(
                "the status is written",
                LIMIT,
                () -> !TestDatabase.query(url, "select id from gateways").isEmpty());
        TestDatabase.execute(url, "update gateways set control_plane = 'gone', last_seen = now() + interval '1 hour'");
        GatewayTable table = new GatewayTable(
                java.util.Objects.requireNonNull(store).database().pool(), Instant::now);
        await(table.forget(Duration.ofMinutes(10)));
        assertThat(TestDatabase.query(url, "select last_seen <= clock_timestamp() from gateways"))
                .containsExactly("t");
    }

    @Test
    void aTimeThatNoDatabaseHoldsIsRefused() throws Exception {
        Instant far = Instant.parse("+9999999-01-01T00:00:00Z");
        assertThatThrownBy(() -> await(say("odd", far, 1, null))).hasMessageContaining("startedAt");
        TrafficReport report = new TrafficReport("odd", far, 1, 0, List.of());
        assertThatThrownBy(() -> fleet().traffic().heard(report)).hasMessageContaining("startedAt");
        await(say("edge", STARTED, 1, null));
        Eventually.holds(
                "the others are written",
                LIMIT,
                () -> TestDatabase.query(url, "select id from gateways").equals(List.of("edge")));
    }

    @Test
    void oneStatusThatTheDatabaseRefusesKeepsNoOtherFromBeingWritten() throws Exception {
        TestDatabase.execute(url, "alter table gateways add check (id <> 'odd')");
        Future<?> odd = say("odd", STARTED, 1, null);
        Future<?> edge = say("edge", STARTED, 1, null);
        await(Future.all(odd, edge));
        Eventually.holds(
                "the other is written",
                LIMIT,
                () -> TestDatabase.query(url, "select id from gateways").equals(List.of("edge")));
    }

    private static TrafficReport traffic(String gateway, Instant started, long sequence, String route) {
        return new TrafficReport(
                gateway,
                started,
                sequence,
                0,
                List.of(new TrafficEntry(
                        TrafficEntry.Kind.ROUTE, route, List.of(0L, 0L, 1L, 0L, 0L, 0L), 10, 20, List.of(1, 1))));
    }

    private List<String> counted() {
        return TestDatabase.query(url, "select sum(requests) from traffic where seconds = 60 and kind = 'ROUTE'");
    }

    @Test
    void aGatewayWhoseClockWentBackIsCounted() throws Exception {
        TrafficLog log = fleet().traffic();
        await(log.heard(traffic("edge", STARTED, 7, "a")));
        await(log.heard(traffic("edge", STARTED.minusSeconds(3600), 1, "a")));
        await(log.heard(traffic("edge", STARTED.minusSeconds(3600), 1, "a")));
        assertThat(counted()).containsExactly("2");
    }

    @Test
    void oneReportThatTheDatabaseRefusesKeepsNoOtherFromBeingCounted() throws Exception {
        TestDatabase.execute(url, "alter table traffic add check (id <> 'odd')");
        TrafficLog log = fleet().traffic();
        Future<Void> first = log.heard(traffic("a", STARTED, 1, "a"));
        Future<Void> odd = log.heard(traffic("b", STARTED, 1, "odd"));
        Future<Void> last = log.heard(traffic("c", STARTED, 1, "a"));
        await(first);
        await(last);
        assertThatThrownBy(() -> await(odd)).hasMessageContaining("check");
        assertThat(counted()).containsExactly("2");
    }

    @Test
    void aClockThatWentBackLosesNothingThatWasCounted() throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        TrafficLog log = new TrafficLog(
                vertx,
                vertx.getOrCreateContext(),
                java.util.Objects.requireNonNull(store).database().pool(),
                new TrafficLog.Limits(100, Duration.ofHours(1), Duration.ofDays(1)),
                now::get);
        await(log.heard(traffic("edge", STARTED, 1, "a")));
        now.updateAndGet(time -> time.plusSeconds(1_200));
        await(log.heard(traffic("edge", STARTED, 2, "a")));
        now.updateAndGet(time -> time.minusSeconds(1_200));
        await(log.heard(traffic("edge", STARTED, 3, "a")));
        await(log.heard(traffic("edge", STARTED, 4, "a")));
        assertThat(counted()).containsExactly("4");
        log.close();
    }

    private static Pool failing(Error error) {
        return (Pool) Proxy.newProxyInstance(
                Pool.class.getClassLoader(), new Class<?>[] {Pool.class}, (proxy, method, arguments) -> {
                    throw error;
                });
    }

    @Test
    void everyReportIsAnsweredWhateverIsThrown() {
        Pool pool = failing(new StackOverflowError("on purpose"));
        TrafficLog log = new TrafficLog(
                vertx,
                vertx.getOrCreateContext(),
                pool,
                new TrafficLog.Limits(100, Duration.ofHours(1), Duration.ofDays(1)),
                Instant::now);
        for (int i = 1; i <= 2; i++) {
            int sequence = i;
            assertThatThrownBy(() -> await(log.heard(traffic("edge", STARTED, sequence, "a"))))
                    .hasMessage("on purpose");
        }
        log.close();
    }

    @Test
    @SuppressWarnings("NullAway") // What comes over the bus may lack anything.
    void reportsOfNobodyKeepNoOtherFromBeingCounted() throws Exception {
        TrafficLog log = fleet().traffic();
        TrafficReport nobodys = new TrafficReport(null, STARTED, 1, 0, List.of());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> await(log.heard(nobodys))).hasMessageContaining("gatewayId");
        }
        await(log.heard(traffic("edge", STARTED, 1, "a")));
        assertThat(counted()).containsExactly("1");
    }

    /** What is counted late is of a time that nothing is remembered of, be it that it is not forgotten yet. */
    @Test
    void whatComesLateIsAddedAndNothingIsCountedTwice() throws Exception {
        Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES).minusSeconds(3_600);
        AtomicReference<Instant> now = new AtomicReference<>(minute.plusSeconds(30));
        TrafficLog log = new TrafficLog(
                vertx,
                vertx.getOrCreateContext(),
                java.util.Objects.requireNonNull(store).database().pool(),
                new TrafficLog.Limits(100, Duration.ofHours(9), Duration.ofDays(1)),
                now::get);
        await(log.heard(traffic("edge", STARTED, 1, "a")));
        now.updateAndGet(time -> time.plusSeconds(240));
        TrafficReport late = new TrafficReport(
                "edge", STARTED, 2, 240_000, traffic("edge", STARTED, 2, "a").entries());
        await(log.heard(late));
        assertThat(counted()).containsExactly("2");
        log.close();
    }

    /** Writes a proposal as another control plane does, without a word about it. */
    private void propose(String id) {
        TestDatabase.execute(
                url,
                "insert into proposals (id, control_plane, base_revision, base_hash, revision, state_hash, timeout_millis,"
                        + " body) values ('" + id + "', 'two', 0, 'h', 1, 'h', 1000, '\\x00')");
    }

    private void notifyOf(String id, String end) {
        TestDatabase.execute(url, "select pg_notify('" + ProposalTable.PROPOSALS + "', 'two " + id + end + "')");
    }

    @Test
    void aProposalThatIsWithdrawnWhileItIsReadIsNotPassedOn() throws Exception {
        await(say("edge", STARTED, 0, null));
        List<String> heard = new CopyOnWriteArrayList<>();
        vertx.eventBus().<JsonObject>consumer(SnapshotProtocol.PREPARE, message -> {
            Proposal proposal = FleetJson.read(message.body(), Proposal.class);
            heard.add(proposal.id() + (proposal.withdrawn() ? " withdrawn" : ""));
        });
        propose("first");
        notifyOf("first", "");
        Eventually.holds("the first is passed on", LIMIT, () -> heard.contains("first"));
        propose("second");
        TestDatabase.whileLocked(url, "proposals", waited -> {
            notifyOf("second", "");
            waited.run();
            notifyOf("second", " withdrawn");
            // Notifications come in their order.
            notifyOf("first", " withdrawn");
            Eventually.holds("both are withdrawn", LIMIT, () -> heard.contains("first withdrawn"));
        });
        propose("third");
        notifyOf("third", "");
        Eventually.holds("the third is passed on", LIMIT, () -> heard.contains("third"));
        assertThat(heard).containsExactly("first", "first withdrawn", "third");
    }

    private HealthReport change(Instant at, NodeState from, NodeState to) {
        NodeEvent event = new NodeEvent(at, from, to, NodeEventCause.ACTIVE, "");
        return new HealthReport(
                "edge", true, List.of(new NodeReport("shop", "http://10.0.0.1:80", to, at, "", List.of(event))));
    }

    @Test
    void aGatewayWhoseClockWentBackTellsOfItsNodes() throws Exception {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        HealthReport early = change(now.plusSeconds(3_600), NodeState.HEALTHY, NodeState.UNHEALTHY);
        await(vertx.eventBus().request(SnapshotProtocol.HEALTH, FleetJson.of(early)));
        HealthReport late = change(now, NodeState.UNHEALTHY, NodeState.HEALTHY);
        await(vertx.eventBus().request(SnapshotProtocol.HEALTH, FleetJson.of(late)));
        // As gateways repeat what they told last.
        await(vertx.eventBus().request(SnapshotProtocol.HEALTH, FleetJson.of(early)));
        await(vertx.eventBus().request(SnapshotProtocol.HEALTH, FleetJson.of(late)));
        assertThat(TestDatabase.query(url, "select to_state from node_events order by id"))
                .containsExactly("UNHEALTHY", "HEALTHY");
    }

    @Test
    void changesOfNodesThatAreTooOldAreForgottenByAnIndex() {
        TestDatabase.execute(
                url,
                "insert into node_events (upstream_id, url, gateway_id, at, from_state, to_state, cause, reason, merged,"
                        + " disagreement) select 'u', 'http://a', 'g', now() - make_interval(mins => n), 'HEALTHY',"
                        + " 'UNHEALTHY', 'ACTIVE', '', 'UNHEALTHY', false from generate_series(1, 20000) n");
        TestDatabase.execute(url, "analyze node_events");
        assertThat(String.join(
                        "\n",
                        TestDatabase.query(
                                url, "explain delete from node_events where at < now() - make_interval(days => 13)")))
                .contains("node_events_at");
    }
}

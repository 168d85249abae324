package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.model.AnswerKind;
import io.sigma.model.GatewayAck;
import io.sigma.model.Refusal;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.Proposal;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.StateHash;
import io.sigma.snapshot.TrafficReport;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The status of gateways in the tables of all control planes, with wrong clocks and failing databases. */
final class FleetTablesTest extends FleetTablesContract {

    private static final Duration LIMIT = Duration.ofSeconds(20);

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
}

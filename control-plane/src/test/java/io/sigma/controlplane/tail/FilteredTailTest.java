package io.sigma.controlplane.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.fleet.NoFleet;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayState;
import io.sigma.model.LastRequest;
import io.sigma.model.LastRequests;
import io.sigma.model.MissingRequests;
import io.sigma.model.MissingRequestsReason;
import io.sigma.snapshot.RequestFilter;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FilteredTailTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final TailKey ALL = new TailKey(RequestFilter.ALL, null);

    private final Gateways gateways = new Gateways();
    private final TailQuestions questions = new TailQuestions(gateways, InstantSource.fixed(NOW));
    private final List<LastRequests> heard = new ArrayList<>();

    /** Gateways that answer when the test says so. */
    private static final class Gateways extends NoFleet {

        private record Asked(RequestsQuestion question, Promise<RequestsAnswer> answer) {}

        private final List<String> ids = new ArrayList<>();
        private final List<Asked> asked = new ArrayList<>();

        @Override
        public List<Gateway> gateways() {
            return ids.stream()
                    .map(id -> Gateway.builder()
                            .id(id)
                            .host("h")
                            .version("1")
                            .revision(1L)
                            .lag(0L)
                            .state(GatewayState.CURRENT)
                            .lastSeen(NOW)
                            .build())
                    .toList();
        }

        @Override
        public Future<RequestsAnswer> ask(RequestsQuestion question, Duration timeout) {
            Asked one = new Asked(question, Promise.promise());
            asked.add(one);
            return one.answer().future();
        }

        void answer(int index, long matched, boolean busy, List<LastRequest> items) {
            Asked one = asked.get(index);
            one.answer()
                    .complete(new RequestsAnswer(
                            one.question().gatewayId(), one.question().id(), items, matched, "n" + index, busy));
        }
    }

    private static LastRequest item(String id, @Nullable Instant at, String text) {
        return new LastRequest(
                id,
                at,
                "somebody-else",
                text,
                text,
                text,
                text,
                text,
                text,
                text,
                text,
                text,
                text,
                200,
                1L,
                -1L,
                1L,
                1,
                text,
                text,
                1L);
    }

    private FilteredTail tail(String... ids) {
        gateways.ids.addAll(List.of(ids));
        return new FilteredTail(ALL, questions, Runnable::run, heard::add);
    }

    @Test
    void whatGatewaysSayIsToldAtOnceAndTheNextQuestionGoesOnThere() throws Exception {
        FilteredTail tail = tail("a", "b");
        tail.tick();
        assertThat(gateways.asked).hasSize(2);
        assertThat(tail.isSettled()).isFalse();
        gateways.answer(0, 7, false, List.of(item("1", NOW, "x")));
        assertThat(heard).hasSize(1);
        assertThat(heard.getFirst().matched()).isZero();
        gateways.answer(1, 0, false, List.of());
        assertThat(tail.isSettled()).isTrue();
        // It is asked again a second later.
        tail.tick();
        assertThat(gateways.asked).hasSize(2);
        TimeUnit.MILLISECONDS.sleep(1_000);
        tail.tick();
        assertThat(gateways.asked).hasSize(4);
        for (int i = 2; i < 4; i++) {
            boolean first = gateways.asked
                    .get(i)
                    .question()
                    .gatewayId()
                    .equals(gateways.asked.get(0).question().gatewayId());
            assertThat(gateways.asked.get(i).question().after()).isEqualTo(first ? "n0" : "n1");
            assertThat(gateways.asked.get(i).question().watch()).isTrue();
            gateways.answer(i, first ? 10 : 0, false, List.of());
        }
        assertThat(heard).hasSize(2);
        assertThat(heard.getLast().matched()).isEqualTo(3);
        assertThat(tail.known().items()).extracting(LastRequest::id).containsExactly("1");
    }

    @Test
    void gatewaysThatAreSilentOrBusyAreNamed() {
        FilteredTail tail = tail("a", "b");
        tail.tick();
        gateways.asked.get(0).answer().fail("no answer");
        gateways.answer(1, 0, true, List.of());
        assertThat(tail.known().missing())
                .containsExactlyInAnyOrder(
                        new MissingRequests(gateways.asked.get(0).question().gatewayId(), MissingRequestsReason.SILENT),
                        new MissingRequests(gateways.asked.get(1).question().gatewayId(), MissingRequestsReason.BUSY));
        assertThat(tail.isSettled()).isTrue();
    }

    @Test
    void questionsUnderWayAreBounded() {
        FilteredTail tail = tail(IntStream.range(0, 100).mapToObj(i -> "g" + i).toArray(String[]::new));
        tail.tick();
        assertThat(gateways.asked).hasSize(TailQuestions.UNDER_WAY_MAX);
        gateways.answer(0, 0, false, List.of());
        tail.tick();
        assertThat(gateways.asked).hasSize(TailQuestions.UNDER_WAY_MAX + 1);
        assertThat(gateways.asked.getLast().question().gatewayId())
                .isNotEqualTo(gateways.asked.getFirst().question().gatewayId());
    }

    @Test
    void whatALyingGatewaySaysIsBounded() {
        FilteredTail tail = tail("a");
        tail.tick();
        List<LastRequest> items = new ArrayList<>(
                Collections.nCopies(1_000, item("i".repeat(10_000), NOW.plusSeconds(1_000_000), "x".repeat(10_000))));
        items.set(
                0,
                new LastRequest(
                        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                        null, null, null, null, null));
        gateways.answer(0, -5, false, items);

        LastRequests said = heard.getFirst();
        assertThat(said.items()).hasSize(RequestsQuestion.LIMIT_MAX).allSatisfy(item -> {
            assertThat(item.gatewayId()).isEqualTo("a");
            assertThat(item.at()).isBeforeOrEqualTo(NOW);
            assertThat(item.bytesIn()).isNotNegative();
            assertThat(item.path()).hasSizeLessThanOrEqualTo(256);
            assertThat(item.id()).hasSizeLessThanOrEqualTo(256);
        });
        assertThat(said.matched()).isZero();
        assertThat(tail.known().items()).hasSize(RequestsQuestion.LIMIT_MAX);
    }

    @Test
    void gatewayThatMakesUpRequestsPushesOutThoseOfNoOther() {
        FilteredTail tail = tail("a", "liar");
        tail.tick();
        boolean first = gateways.asked.getFirst().question().gatewayId().equals("a");
        gateways.answer(first ? 0 : 1, 0, false, List.of(item("theirs", NOW.minusSeconds(600), "x")));
        gateways.answer(first ? 1 : 0, 0, false, Collections.nCopies(1_000, item("made-up", NOW, "x")));
        assertThat(tail.known().items())
                .hasSize(RequestsQuestion.LIMIT_MAX)
                .extracting(LastRequest::id)
                .contains("theirs");
    }

    @Test
    void listOfRequestsHasThoseOfEachGateway() throws Exception {
        gateways.ids.addAll(List.of("a", "liar"));
        Future<LastRequests> listed = questions.list(ALL, 50);
        gateways.answer(0, 0, false, List.of(item("theirs", NOW.minusSeconds(600), "x")));
        gateways.answer(1, 0, false, Collections.nCopies(1_000, item("made-up", NOW, "x")));
        assertThat(listed.result().items())
                .hasSize(50)
                .extracting(LastRequest::id)
                .contains("theirs");
        assertThat(listed.result().items().getLast().id()).isEqualTo("theirs");
    }
}

package io.sigma.inprocess.fleet;

import static io.sigma.inprocess.testkit.Waiting.await;
import static io.sigma.inprocess.testkit.Waiting.failure;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.link.RouteAnswers;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.inprocess.testkit.WithInstallation;
import io.sigma.model.LastRequest;
import io.sigma.model.RouteTestResult;
import io.sigma.snapshot.RequestFilter;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import io.sigma.snapshot.RouteQuestion;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Questions about requests reach the gateway that is asked, whichever control plane it hangs on. */
class RequestQuestionsTest extends WithInstallation {

    private static final RequestFilter FILTER =
            new RequestFilter("carts", "web", RequestFilter.Status.FAILED, "example.com/cart");

    /** A gateway that has the filter of the question as the path of {@code count} requests. */
    private record Gateway(int count) implements RouteAnswers {

        @Override
        public Future<RouteTestResult> answer(RouteQuestion question) {
            return Future.failedFuture("not asked here");
        }

        @Override
        public Future<RequestsAnswer> requests(RequestsQuestion question) {
            LastRequest item = LastRequest.builder()
                    .id("1")
                    .at(Instant.EPOCH)
                    .gatewayId(question.gatewayId())
                    .proxyServerId("web")
                    .protocol("HTTP/1.1")
                    .method("GET")
                    .host("h".repeat(128))
                    .path(question.requests() + question.after() + "x".repeat(100))
                    .status(200)
                    .durationMicros(1L)
                    .bytesIn(0L)
                    .bytesOut(0L)
                    .attempts(1)
                    .revision(1L)
                    .build();
            return Future.succeededFuture(new RequestsAnswer(
                    question.gatewayId(), question.id(), Collections.nCopies(count, item), 7, "n", false));
        }
    }

    private static RequestsQuestion question(String gatewayId) {
        return new RequestsQuestion(UUID.randomUUID().toString(), gatewayId, FILTER, true, "a:1.2", 200);
    }

    @Test
    void eitherControlPlaneReachesEitherGateway() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        installation.gateway("edge-1", one.port(), new Gateway(1));
        installation.gateway("edge-2", two.port(), new Gateway(1));
        until(
                "all is known",
                () -> one.fleet().gateways().size() == 2
                        && two.fleet().gateways().size() == 2);

        for (Installation.ControlPlane asked : List.of(one, two)) {
            for (String gateway : List.of("edge-1", "edge-2")) {
                RequestsAnswer answer = await(asked.fleet().ask(question(gateway), Duration.ofSeconds(15)));
                assertThat(answer.gatewayId()).isEqualTo(gateway);
                assertThat(answer.matched()).isEqualTo(7);
                assertThat(answer.items())
                        .singleElement()
                        .satisfies(item -> assertThat(item.path()).startsWith(FILTER + "a:1.2"));
            }
        }
        assertThat(await(installation
                                .pool()
                                .query("select 1 from route_questions")
                                .execute())
                        .size())
                .isZero();
    }

    @Test
    void anAnswerThatIsTooLongForAMessageIsCutShort() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        installation.gateway("edge", one.port(), new Gateway(200));
        until("it is known", () -> one.fleet().gateways().size() == 1);

        RequestsAnswer answer = await(one.fleet().ask(question("edge"), Duration.ofSeconds(15)));

        assertThat(answer.items()).hasSizeBetween(20, 199);
    }

    @Test
    void aGatewayThatIsNotThereAnswersNothing() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");

        assertThat(failure(one.fleet().ask(question("nobody"), Duration.ofMillis(100))))
                .isNotInstanceOf(AssertionError.class);
    }
}

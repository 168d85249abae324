package io.sigma.inprocess.fleet;

import static io.sigma.inprocess.testkit.Waiting.await;
import static io.sigma.inprocess.testkit.Waiting.failure;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.link.RouteAnswers;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.inprocess.testkit.WithInstallation;
import io.sigma.model.RouteTest;
import io.sigma.model.RouteTestOutcome;
import io.sigma.model.RouteTestResult;
import io.sigma.snapshot.RouteAnswer;
import io.sigma.snapshot.RouteQuestion;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Questions about routes reach the gateway that is asked, whichever control plane it hangs on. */
class RouteQuestionsTest extends WithInstallation {

    private static RouteAnswers answering(int losers) {
        return question -> Future.succeededFuture(RouteTestResult.builder()
                .gatewayId(question.gatewayId())
                .revision(7L)
                .outcome(RouteTestOutcome.REFUSED)
                .detail("d")
                .losers(Collections.nCopies(
                        losers,
                        new io.sigma.model.LosingRoute(
                                "r",
                                "s",
                                List.of(io.sigma.model.LosingReason.builder()
                                        .kind(io.sigma.model.LosingReasonKind.HOST)
                                        .detail("x".repeat(2000))
                                        .build()))))
                .furtherLosers(0)
                .filters(List.of())
                .upstreams(List.of())
                .build());
    }

    private static RouteQuestion question(String gatewayId) {
        RouteTest test = RouteTest.builder().url("/").host("a").build();
        return RouteQuestion.of(UUID.randomUUID().toString(), gatewayId, test, 0, 0, "", null);
    }

    @Test
    void eitherControlPlaneReachesEitherGateway() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        installation.gateway("edge-1", one.port(), answering(0));
        installation.gateway("edge-2", two.port(), answering(0));
        until(
                "all is known",
                () -> one.fleet().gateways().size() == 2
                        && two.fleet().gateways().size() == 2);

        for (Installation.ControlPlane asked : List.of(one, two)) {
            for (String gateway : List.of("edge-1", "edge-2")) {
                RouteAnswer answer = await(asked.fleet().ask(question(gateway), Duration.ofSeconds(15)));
                assertThat(answer.result())
                        .isNotNull()
                        .satisfies(result -> assertThat(result.gatewayId()).isEqualTo(gateway));
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
        installation.gateway("edge", one.port(), answering(50));
        until("it is known", () -> one.fleet().gateways().size() == 1);

        RouteTestResult result =
                await(one.fleet().ask(question("edge"), Duration.ofSeconds(15))).result();

        assertThat(result).isNotNull();
        assertThat(result.losers().size()).isBetween(1, 20);
        assertThat(result.losers().size() + result.furtherLosers()).isEqualTo(50);
    }

    @Test
    void aGatewayThatIsNotThereAnswersNothing() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");

        assertThat(failure(one.fleet().ask(question("nobody"), Duration.ofMillis(100))))
                .isNotInstanceOf(AssertionError.class);
    }
}

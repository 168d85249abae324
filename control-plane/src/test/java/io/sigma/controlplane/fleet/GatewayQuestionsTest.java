package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.model.RouteTest;
import io.sigma.snapshot.RouteAnswer;
import io.sigma.snapshot.RouteQuestion;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class GatewayQuestionsTest {

    /** There is room for some only. */
    @Test
    void aQuestionThatCannotBeAskedKeepsNoPlace() throws Exception {
        Vertx vertx = Vertx.vertx();
        Pool pool = (Pool) Proxy.newProxyInstance(
                Pool.class.getClassLoader(), new Class<?>[] {Pool.class}, (proxy, method, arguments) -> {
                    throw new StackOverflowError("on purpose");
                });
        GatewayQuestions questions = new GatewayQuestions(vertx, new QuestionTable(pool), "one");
        for (int i = 0; i < 3 * GatewayQuestions.WAITING_MAX; i++) {
            RouteQuestion question = RouteQuestion.of(
                    "q" + i, "edge", RouteTest.builder().url("/").build(), 0, 0, "", null);
            assertThatThrownBy(() -> questions
                            .ask(question, RouteAnswer.class, "two", Duration.ofMinutes(1))
                            .await(20, TimeUnit.SECONDS))
                    .hasMessage("on purpose");
        }
        vertx.close().await(30, TimeUnit.SECONDS);
    }
}

package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Retry;
import io.sigma.model.RetryCondition;
import io.sigma.model.Timeouts;
import io.sigma.model.UpstreamLimits;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class RetryTest extends EngineContract {

    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";

    /** With a budget that no test spends, whichever event loop its connections are on. */
    @Override
    protected Config forwarding(String... nodes) {
        UpstreamLimits limits =
                UpstreamLimits.builder().retriesPerSecondMin(1000).build();
        return super.forwarding(nodes)
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder().limits(limits).build());
    }

    private Config retrying(Retry retry, String... nodes) {
        return forwarding(nodes)
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder().retry(retry).build());
    }

    private static TestNode breaking(AtomicInteger requests) {
        return TestNode.start((request, connection) -> {
            requests.incrementAndGet();
            connection.socket().close();
        });
    }

    private static TestNode answering(AtomicInteger requests, int status) {
        return TestNode.start((request, connection) -> {
            requests.incrementAndGet();
            connection.send("HTTP/1.1 " + status + " Whatever\r\nContent-Length: 3\r\n\r\nbad");
        });
    }

    @Test
    void safeRequestWhoseConnectionBreaksIsSentToAnotherNode() throws Exception {
        AtomicInteger broken = new AtomicInteger();
        try (TestNode bad = breaking(broken);
                TestNode good = TestNode.named("good")) {
            gateway().apply(forwarding(bad.url(), good.url()));
            for (int i = 0; i < 10; i++) {
                assertThat(get("/").text()).isEqualTo("good");
            }
            assertThat(broken.get()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH", "LOCK", "get"})
    void unsafeRequestIsNeverSentTwice(String method) throws Exception {
        AtomicInteger seen = new AtomicInteger();
        try (TestNode first = breaking(seen);
                TestNode second = breaking(seen)) {
            gateway().apply(forwarding(first.url(), second.url()));
            for (int i = 1; i <= 4; i++) {
                assertThat(exchange(POST.replace("POST", method)).status()).isEqualTo(502);
                assertThat(seen.get()).isEqualTo(i);
            }
        }
    }

    @Test
    void unsafeMethodIsSentAgainWithItsBodyWhereThatIsAllowed() throws Exception {
        try (TestNode bad = TestNode.start(
                        (request, connection) -> connection.socket().close());
                TestNode good = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(retrying(Retry.builder().methods(List.of("POST")).build(), bad.url(), good.url()));
            for (int i = 0; i < 6; i++) {
                assertThat(exchange(POST).text()).isEqualTo("hi");
            }
        }
    }

    @Test
    void bodyThatIsLongerThanWhatIsHeldIsNotSentAgain() throws Exception {
        AtomicInteger seen = new AtomicInteger();
        String body = "x".repeat(200_000);
        try (TestNode bad = breaking(seen);
                TestNode worse = breaking(seen)) {
            gateway().apply(retrying(Retry.builder().methods(List.of("PUT")).build(), bad.url(), worse.url()));
            assertThat(exchange("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n" + body)
                            .status())
                    .isEqualTo(502);
            assertThat(seen.get()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {502, 503, 504})
    void chosenStatusesAreTriedAgainWhenAskedFor(int status) throws Exception {
        AtomicInteger failures = new AtomicInteger();
        try (TestNode bad = answering(failures, status);
                TestNode good = TestNode.named("good")) {
            gateway()
                    .apply(retrying(
                            Retry.builder()
                                    .conditions(List.of(RetryCondition.STATUS))
                                    .build(),
                            bad.url(),
                            good.url()));
            for (int i = 0; i < 4; i++) {
                assertThat(get("/").text()).isEqualTo("good");
            }
            assertThat(failures.get()).isPositive();
        }
    }

    @Test
    void statusesAreAnswersUnlessAskedFor() throws Exception {
        AtomicInteger seen = new AtomicInteger();
        try (TestNode node = answering(seen, 503)) {
            gateway().apply(forwarding(node.url()));
            assertThat(get("/").text()).isEqualTo("bad");
            gateway()
                    .apply(retrying(
                            Retry.builder()
                                    .conditions(List.of(RetryCondition.STATUS))
                                    .statuses(List.of(500))
                                    .build(),
                            node.url()));
            assertThat(get("/").status()).isEqualTo(503);
            assertThat(seen.get()).isEqualTo(2);
        }
    }

    @Test
    void lastAnswerIsPassedOnWhenEveryTryFails() throws Exception {
        AtomicInteger seen = new AtomicInteger();
        try (TestNode node = answering(seen, 503)) {
            gateway()
                    .apply(retrying(
                            Retry.builder()
                                    .conditions(List.of(RetryCondition.STATUS))
                                    .attemptsMax(3)
                                    .backoffMillis(1)
                                    .build(),
                            node.url()));
            RawClient.Answer answer = get("/");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).isEqualTo("bad");
            assertThat(seen.get()).isEqualTo(3);
        }
    }

    @Test
    void nodeThatDoesNotAnswerATryInTimeIsPassedOver() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode silent = TestNode.start((request, connection) -> done.await(20, TimeUnit.SECONDS));
                TestNode good = TestNode.named("good")) {
            gateway()
                    .apply(retrying(
                            Retry.builder()
                                    .conditions(List.of(RetryCondition.TIMEOUT))
                                    // The good node has to answer within it, also on a machine that is busy.
                                    .perTryMillis(1_000)
                                    .build(),
                            silent.url(),
                            good.url()));
            for (int i = 0; i < 4; i++) {
                assertThat(get("/").text()).isEqualTo("good");
            }
            done.countDown();
        }
    }

    @Test
    void oneTryMeansOneTry() throws Exception {
        AtomicInteger seen = new AtomicInteger();
        try (TestNode node = breaking(seen)) {
            gateway().apply(retrying(Retry.builder().attemptsMax(1).build(), node.url(), node.url() + "/b"));
            assertThat(get("/").status()).isEqualTo(502);
            assertThat(seen.get()).isEqualTo(1);
        }
    }

    @Test
    void wholeTimeBoundsAllTries() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        List<String> seen = new ArrayList<>();
        try (TestNode silent = TestNode.start((request, connection) -> {
            seen.add(request.target());
            done.await(20, TimeUnit.SECONDS);
        })) {
            gateway()
                    .apply(retrying(
                                    Retry.builder()
                                            .conditions(List.of(RetryCondition.TIMEOUT))
                                            .perTryMillis(200)
                                            .attemptsMax(10)
                                            .build(),
                                    silent.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .timeouts(Timeouts.builder()
                                                    .totalMillis(500)
                                                    .build())
                                            .build()));
            assertThat(get("/").status()).isEqualTo(504);
            assertThat(seen).hasSizeBetween(2, 4);
            done.countDown();
        }
    }

    @Test
    void wholeTimeCutsAResponseThatGoesOn() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
            done.await(20, TimeUnit.SECONDS);
        })) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .timeouts(Timeouts.builder()
                                                    .totalMillis(300)
                                                    .build())
                                            .build()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(org.assertj.core.api.Assertions.catchThrowable(client::read))
                        .isInstanceOf(java.io.IOException.class);
            }
            done.countDown();
        }
    }

    /** The answer cannot leave, because the client gives it no room, so the exchange is not over. */
    @Test
    void noTryFollowsTheAnswer() throws Exception {
        AtomicInteger seen = new AtomicInteger();
        try (TestNode bad = breaking(seen)) {
            Config config = retrying(
                            Retry.builder().attemptsMax(10).backoffMillis(1_000).build(), bad.url())
                    .with(
                            ResourceType.PROXY_PASS,
                            "pass",
                            pass -> pass.toBuilder()
                                    .timeouts(
                                            Timeouts.builder().totalMillis(100).build())
                                    .build());
            gateway().apply(config);
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
                for (int i = 0; i < 20; i++) {
                    client.send(
                            RawHttp2.HEADERS, RawHttp2.END_STREAM | RawHttp2.END_HEADERS, 2 * i + 1, RawHttp2.head());
                }
                int heads = 0;
                while (heads < 20) {
                    heads += client.next().type() == RawHttp2.HEADERS ? 1 : 0;
                }
                int then = seen.get();
                TimeUnit.MILLISECONDS.sleep(1_200);
                assertThat(seen.get()).isEqualTo(then);
            }
        }
    }
}

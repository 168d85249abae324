package io.sigma.dataplane.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names whose service fails, does not answer, and comes back. */
@Timeout(60)
final class LastAddressesTest {

    private static final InetAddress OLD = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress NEW = InetAddress.ofLiteral("192.0.2.2");

    private final Vertx vertx = Vertx.vertx();
    private final Deque<Future<InetAddress>> answers = new ArrayDeque<>();
    private int asked;
    private final LastAddresses addresses = new LastAddresses(vertx, name -> {
        asked++;
        return answers.remove();
    });

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private InetAddress ask(Future<InetAddress> answer) throws Exception {
        answers.add(answer);
        return addresses.of("node.example").await(30, TimeUnit.SECONDS);
    }

    private static Future<InetAddress> fails() {
        return Future.failedFuture(new IOException("SERVFAIL"));
    }

    @Test
    void lastAddressStandsInWhileTheServiceFails() throws Exception {
        assertThat(ask(Future.succeededFuture(OLD))).isEqualTo(OLD);
        assertThat(ask(fails())).isEqualTo(OLD);
        assertThat(ask(fails())).isEqualTo(OLD);
    }

    @Test
    void lastAddressStandsInWhileTheServiceDoesNotAnswer() throws Exception {
        ask(Future.succeededFuture(OLD));
        assertThat(ask(Promise.<InetAddress>promise().future())).isEqualTo(OLD);
        // From now on nobody waits.
        answers.add(Promise.<InetAddress>promise().future());
        assertThat(addresses.of("node.example").succeeded()).isTrue();
    }

    @Test
    void serviceThatDoesNotAnswerIsAskedOnceAtATime() throws Exception {
        ask(Future.succeededFuture(OLD));
        ask(fails());
        Promise<InetAddress> late = Promise.promise();
        answers.add(late.future());
        for (int i = 0; i < 100; i++) {
            assertThat(addresses.of("node.example").result()).isEqualTo(OLD);
        }
        assertThat(asked).isEqualTo(3);
        late.complete(NEW);
        assertThat(ask(Future.succeededFuture(NEW))).isEqualTo(NEW);
    }

    @Test
    void nameThatIsGoneHasNoAddress() throws Exception {
        ask(Future.succeededFuture(OLD));
        UnknownHostException none = new UnknownHostException("node.example");
        assertThatThrownBy(() -> ask(Future.failedFuture(none))).isSameAs(none);
        assertThatThrownBy(() -> ask(fails())).hasMessage("SERVFAIL");
    }

    @Test
    void nameWithoutAKnownAddressFailsAsItsService() {
        assertThatThrownBy(() -> ask(fails())).hasMessage("SERVFAIL");
    }

    @Test
    void namesThatAreRememberedAreBounded() throws Exception {
        ask(Future.succeededFuture(OLD));
        for (int i = 0; i < LastAddresses.NAMES_MAX; i++) {
            answers.add(Future.succeededFuture(NEW));
            addresses.of("other-" + i + ".example").await(30, TimeUnit.SECONDS);
        }
        assertThatThrownBy(() -> ask(fails())).hasMessage("SERVFAIL");
    }
}

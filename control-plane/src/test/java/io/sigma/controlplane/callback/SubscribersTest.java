package io.sigma.controlplane.callback;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SubscribersTest {

    @Test
    void whatOneThrowsKeepsNoOtherFromHearing() {
        Subscribers<String> listeners = new Subscribers<>("tests");
        List<String> heard = new ArrayList<>();
        listeners.add(news -> heard.add("first " + news));
        listeners.add(news -> {
            throw new StackOverflowError("on purpose");
        });
        listeners.add(news -> {
            throw new IllegalStateException("on purpose");
        });
        listeners.add(news -> heard.add("last " + news));

        listeners.tell("a");
        listeners.tell("b");

        assertThat(heard).containsExactly("first a", "last a", "first b", "last b");
    }

    @Test
    void whatIsThrownBeforeThereIsAFutureIsAFailure() {
        Error error = new StackOverflowError("on purpose");
        Future<String> failed = Attempt.of(() -> {
            throw error;
        });

        assertThat(failed.cause()).isSameAs(error);
        assertThat(Attempt.of(() -> Future.succeededFuture("done")).result()).isEqualTo("done");
    }
}

package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.NodeProtocol;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections that carry several requests at a time. */
final class SharedConnectionsTest extends PoolContract {

    @Test
    void requestsShareAConnectionUpToItsStreams() {
        NodeEndpoint endpoint = endpoint(2, 8, NodeProtocol.HTTP2);
        List<Asking> asking = List.of(ask(endpoint, 0), ask(endpoint, 0), ask(endpoint, 0));
        assertThat(attempts).hasSize(1);
        connectNext(2);
        assertThat(asking.get(1).connection).isSameAs(asking.get(0).connection);
        assertThat(asking.get(2).connection).isNull();
        assertThat(attempts).hasSize(1);
        connectNext(2);
        assertThat(asking.get(2).connection).isNotNull().isNotSameAs(asking.get(0).connection);
        assertThat(endpoint.connections()).isEqualTo(2);
        assertThat(endpoint.queued()).isZero();
    }

    @Test
    void waitingRequestGetsTheStreamThatEnds() {
        NodeEndpoint endpoint = endpoint(1, 8, NodeProtocol.HTTP2);
        Asking first = ask(endpoint, 0);
        Asking second = ask(endpoint, 0);
        Asking third = ask(endpoint, 0);
        connectNext(2);
        assertThat(third.connection).isNull();
        second.release(true);
        assertThat(third.connection).isSameAs(first.connection);
        assertThat(endpoint.connections()).isEqualTo(1);
    }

    @Test
    void moreStreamsServeMoreAndFewerServeFewer() {
        NodeEndpoint endpoint = endpoint(1, 8, NodeProtocol.HTTP2);
        ask(endpoint, 0);
        Asking second = ask(endpoint, 0);
        Connection connection = connectNext(1);
        assertThat(second.connection).isNull();
        connection.streams(2);
        assertThat(second.connection).isSameAs(connection);
        connection.streams(1);
        second.release(true);
        assertThat(ask(endpoint, 0).connection).isNull();
    }

    @Test
    void connectionThatGoesAwayFinishesItsRequestsAndTakesNoMore() {
        NodeEndpoint endpoint = endpoint(2, 8, NodeProtocol.HTTP2);
        Asking first = ask(endpoint, 0);
        Connection old = connectNext(10);
        old.goAway();
        assertThat(old.open).isTrue();
        Asking second = ask(endpoint, 0);
        connectNext(10);
        assertThat(second.connection).isNotSameAs(old);
        first.release(true);
        assertThat(old.open).isFalse();
        assertThat(endpoint.connections()).isEqualTo(1);
    }

    @Test
    void nodeThatTurnsOutToBeSimpleServesEveryRequestOnAConnectionOfItsOwn() {
        NodeEndpoint endpoint = endpoint(3, 8, NodeProtocol.HTTP2);
        List<Asking> asking = List.of(ask(endpoint, 0), ask(endpoint, 0), ask(endpoint, 0));
        connectNext(1);
        connectNext(1);
        connectNext(1);
        assertThat(asking).allSatisfy(one -> assertThat(one.connection).isNotNull());
        assertThat(endpoint.connections()).isEqualTo(3);
    }

    @Test
    void failedAttemptFailsItsRequestAndTriesAgainForTheOthers() {
        NodeEndpoint endpoint = endpoint(1, 8, NodeProtocol.HTTP2);
        Asking first = ask(endpoint, 0);
        Asking second = ask(endpoint, 0);
        attempts.removeFirst().onFailed().accept(new IllegalStateException("refused"));
        assertThat(first.error).isNotNull();
        run();
        connectNext(2);
        assertThat(second.connection).isNotNull();
    }

    @Test
    void sharedConnectionIsGivenUpForALoopThatHasNone() {
        NodeEndpoint endpoint = endpoint(1, 8, NodeProtocol.HTTP2);
        Asking first = ask(endpoint, 0);
        Asking second = ask(endpoint, 0);
        connectNext(10);
        Asking other = ask(endpoint, 1);
        run();
        first.release(true);
        assertThat(endpoint.connections()).isEqualTo(1);
        second.release(true);
        run();
        connectNext(10);
        assertThat(other.connection).isNotNull();
        assertThat(endpoint.connections()).isEqualTo(1);
    }
}

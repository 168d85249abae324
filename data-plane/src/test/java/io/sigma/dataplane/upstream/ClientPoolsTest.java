package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.proxied.ClientPools;
import io.sigma.dataplane.upstream.proxied.ProxiedClient;
import io.sigma.model.NodeProxyProtocol;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pools whose connections each belong to one client, and which share the bound of their node. */
final class ClientPoolsTest extends PoolContract {

    private final List<ProxiedClient> named = new ArrayList<>();

    @BeforeEach
    void wantHeaders() {
        proxyProtocol = NodeProxyProtocol.V1;
    }

    private NodeEndpoint node(int connectionsMax) {
        Connector plain = (endpoint, loop, connected, failed) -> attempts.add(new Attempt(connected, failed));
        return endpoint(connectionsMax, 10, new Connector() {
            @Override
            public void connect(
                    NodeEndpoint endpoint,
                    Loop loop,
                    Consumer<PooledConnection> onConnected,
                    Consumer<Throwable> onFailed) {
                plain.connect(endpoint, loop, onConnected, onFailed);
            }

            @Override
            public Connector onBehalfOf(ProxiedClient client) {
                named.add(client);
                return plain;
            }
        });
    }

    private static ClientPools client(int loop) {
        return new ClientPools(new ProxiedClient(null, null, null), loop);
    }

    private static Asking ask(NodeEndpoint node, int loop, ClientPools client) {
        Asking asking = new Asking();
        node.pool(loop, () -> client).acquire(asking);
        return asking;
    }

    @Test
    void clientHasOnePoolForEachNode() {
        NodeEndpoint node = node(2);
        ClientPools client = client(0);
        assertThat(node.pool(0, () -> client))
                .isSameAs(node.pool(0, () -> client))
                .isNotSameAs(node.pool(0))
                .isNotSameAs(node(2).pool(0, () -> client));
        assertThat(named).first().isSameAs(client.client());
    }

    @Test
    void withoutAHeaderAllClientsHaveTheSamePool() {
        proxyProtocol = null;
        NodeEndpoint node = node(2);
        assertThat(node.pool(0, () -> client(0))).isSameAs(node.pool(0));
    }

    @Test
    void connectionIsUsedAgainByItsClient() {
        NodeEndpoint node = node(2);
        ClientPools client = client(0);
        Asking first = ask(node, 0, client);
        connectNext();
        first.release(true);
        assertThat(ask(node, 0, client).connection).isSameAs(first.connection);
        assertThat(ask(node, 0, client(0)).connection).isNull();
        assertThat(attempts).hasSize(1);
    }

    @Test
    void longestIdleConnectionOfTheLoopGivesWay() {
        NodeEndpoint node = node(2);
        ClientPools one = client(0);
        ClientPools two = client(0);
        Asking first = ask(node, 0, one);
        Connection old = connectNext(1);
        Asking second = ask(node, 0, two);
        Connection young = connectNext(1);
        first.release(true);
        second.release(true);
        Asking third = ask(node, 0, client(0));
        run();
        connectNext();
        assertThat(third.connection).isNotNull();
        assertThat(old.open).isFalse();
        assertThat(young.open).isTrue();
        assertThat(node.connections()).isEqualTo(2);
    }

    @Test
    void idleConnectionOfAnotherLoopGivesWay() {
        NodeEndpoint node = node(1);
        Asking first = ask(node, 0, client(0));
        connectNext();
        first.release(true);
        Asking second = ask(node, 1, client(1));
        run();
        connectNext();
        assertThat(second.connection).isNotNull();
        assertThat(node.connections()).isEqualTo(1);
    }

    @Test
    void busyConnectionGivesWayWhenItsRequestIsOver() {
        NodeEndpoint node = node(1);
        ClientPools client = client(0);
        Asking first = ask(node, 0, client);
        connectNext();
        Asking other = ask(node, 0, client(0));
        run();
        assertThat(other.connection).isNull();
        first.release(true);
        run();
        connectNext();
        assertThat(other.connection).isNotNull();
        other.release(true);
        // And back.
        Asking again = ask(node, 0, client);
        run();
        connectNext();
        assertThat(again.connection).isNotNull();
    }

    @Test
    void connectionsEndWithTheirClient() {
        NodeEndpoint node = node(2);
        ClientPools client = client(0);
        Asking first = ask(node, 0, client);
        Connection idle = connectNext(1);
        Asking second = ask(node, 0, client);
        Connection busy = connectNext(1);
        first.release(true);
        client.end();
        assertThat(idle.open).isFalse();
        assertThat(busy.open).isTrue();
        second.release(true);
        assertThat(busy.open).isFalse();
        assertThat(node.connections()).isZero();
    }

    @Test
    void requestOfAClientThatIsGoneKeepsNothing() {
        NodeEndpoint node = node(2);
        ClientPools client = client(0);
        client.end();
        Asking late = ask(node, 0, client);
        connectNext();
        late.release(true);
        assertThat(node.connections()).isZero();
    }

    @Test
    void nodeThatIsNotUsedAnyMoreKeepsNothing() {
        NodeEndpoint node = node(2);
        ClientPools client = client(0);
        Asking first = ask(node, 0, client);
        Connection idle = connectNext(1);
        NodePool before = node.pool(0, () -> client);
        first.release(true);
        node.retire();
        run();
        assertThat(idle.open).isFalse();
        // A request that had chosen it before.
        Asking late = ask(node, 0, client);
        connectNext();
        assertThat(late.connection).isNotNull();
        late.release(true);
        assertThat(node.connections()).isZero();
        assertThat(node.pool(0, () -> client)).isNotSameAs(before);
        client.end();
    }
}

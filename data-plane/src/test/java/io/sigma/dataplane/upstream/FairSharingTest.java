package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.exchange.ClientKey;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.upstream.pool.AddressShares;
import io.sigma.dataplane.upstream.pool.ClientCounts;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The sharing of a full pool among client addresses. */
final class FairSharingTest extends PoolContract {

    private static final int CROWD = 1;
    private static final int NEWCOMER = 2;

    private List<Asking> ask(NodeEndpoint endpoint, int count, long client) {
        List<Asking> asked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Asking asking = new Asking();
            asking.client = client;
            endpoint.pool(0).acquire(asking);
            asked.add(asking);
        }
        return asked;
    }

    private void connectAll() {
        while (!attempts.isEmpty()) {
            connectNext();
        }
    }

    @Test
    void connectionThatIsFreedGoesToTheAddressThatHoldsLeast() {
        NodeEndpoint endpoint = endpoint(4, 1000);
        List<Asking> held = ask(endpoint, 4, CROWD);
        connectAll();
        ask(endpoint, 500, CROWD);
        List<Asking> newcomer = ask(endpoint, 3, NEWCOMER);
        held.get(0).release(true);
        assertThat(newcomer.get(0).connection).isNotNull();
        held.get(1).release(true);
        assertThat(newcomer.get(1).connection).isNotNull();
        held.get(2).release(true);
        // Two each would be three to one.
        assertThat(newcomer.get(2).connection).isNull();
        newcomer.get(0).release(true);
        assertThat(newcomer.get(2).connection).isNotNull();
    }

    @Test
    void addressesThatHoldTheSameAreServedInTurn() {
        NodeEndpoint endpoint = endpoint(1, 1000);
        List<Asking> served = new ArrayList<>(ask(endpoint, 1, 9));
        connectAll();
        Map<Long, List<Asking>> asked = new HashMap<>();
        for (long client = 1; client <= 3; client++) {
            asked.put(client, ask(endpoint, client == 1 ? 100 : 5, client));
        }
        List<Long> order = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            served.getLast().release(true);
            asked.forEach((client, asking) -> asking.stream()
                    .filter(each -> each.connection != null && !served.contains(each))
                    .findFirst()
                    .ifPresent(each -> {
                        served.add(each);
                        order.add(client);
                    }));
        }
        assertThat(order).containsExactly(1L, 2L, 3L, 1L, 2L, 3L, 1L, 2L, 3L);
    }

    @Test
    void requestsOfOneAddressKeepTheirOrder() {
        NodeEndpoint endpoint = endpoint(1, 1000);
        Asking now = ask(endpoint, 1, CROWD).getFirst();
        connectAll();
        List<Asking> waiting = ask(endpoint, 50, CROWD);
        for (Asking next : waiting) {
            now.release(true);
            assertThat(next.connection).isNotNull();
            now = next;
        }
    }

    @Test
    void addressThatHoldsMuchLeavesRoomForOthers() {
        NodeEndpoint endpoint = endpoint(100, 10_000);
        ask(endpoint, 1, NEWCOMER);
        connectAll();
        List<Asking> crowd = ask(endpoint, 500, CROWD);
        connectAll();
        long got = crowd.stream().filter(each -> each.connection != null).count();
        assertThat(got).isBetween(70L, 90L);
        List<Asking> newcomers = ask(endpoint, 5, NEWCOMER);
        connectAll();
        assertThat(newcomers).allMatch(each -> each.connection != null);
        // Also when connections of others are idle.
        newcomers.forEach(each -> each.release(true));
        assertThat(ask(endpoint, 5, CROWD)).allMatch(each -> each.connection == null);
        assertThat(ask(endpoint, 5, NEWCOMER)).allMatch(each -> each.connection != null);
    }

    @Test
    void addressThatIsAloneHasAllConnections() {
        NodeEndpoint endpoint = endpoint(100, 10_000);
        List<Asking> all = ask(endpoint, 100, CROWD);
        connectAll();
        assertThat(all).allMatch(each -> each.connection != null);
    }

    @Test
    void requestThatIsOverAfterItsConnectionIsForgotten() {
        NodeEndpoint endpoint = endpoint(10, 10);
        for (int i = 0; i < 100; i++) {
            Asking asking = ask(endpoint, 1, i).getFirst();
            Connection connection = connectNext(1);
            if (i % 2 == 0) {
                connection.close();
                asking.release(false);
            } else {
                asking.release(false);
            }
        }
        assertThat(endpoint.connections()).isZero();
        for (int i = 1; i <= 10; i++) {
            ask(endpoint, 1, i);
        }
        connectAll();
        assertThat(endpoint.connections()).isEqualTo(10);
    }

    @Test
    void tunnelsTakeNoPlaceOfRequests() {
        NodeEndpoint endpoint = endpoint(2, 10);
        List<Connection> tunnels = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            assertThat(endpoint.tryTunnel(CROWD)).isTrue();
            ask(endpoint, 1, CROWD);
            Connection connection = connectNext(1);
            assertThat(connection.becomeTunnel()).isTrue();
            tunnels.add(connection);
        }
        assertThat(endpoint.connections()).isZero();
        assertThat(endpoint.tunnels()).isEqualTo(50);
        List<Asking> requests = ask(endpoint, 2, NEWCOMER);
        connectAll();
        assertThat(requests).allMatch(each -> each.connection != null);
        tunnels.forEach(Connection::close);
        assertThat(endpoint.tunnels()).isZero();
        assertThat(endpoint.connections()).isEqualTo(2);
        assertThat(tunnels.getFirst().becomeTunnel()).isFalse();
    }

    @Test
    void connectionThatIsClosedBeforeAnybodyHearsOfItGivesItsPlaceBack() {
        NodeEndpoint endpoint = endpoint(1, 10);
        Asking first = ask(endpoint, 1, CROWD).getFirst();
        Connection dead = new Connection(1);
        dead.open = false;
        attempts.removeFirst().onConnected().accept(dead);
        GatewayError error = first.error;
        assertThat(error).isNotNull();
        assertThat(error.kind()).isEqualTo(ErrorKind.CONNECT_FAILED);
        assertThat(endpoint.connections()).isZero();
        ask(endpoint, 1, CROWD);
        assertThat(attempts).hasSize(1);
    }

    @Test
    void attemptThatCannotBeMadeGivesItsPlaceBack() {
        NodeEndpoint endpoint = endpoint(1, 10, (node, loop, connected, failed) -> {
            throw new IllegalStateException("no");
        });
        Asking first = ask(endpoint, 1, CROWD).getFirst();
        run();
        assertThat(first.error).isNotNull();
        assertThat(endpoint.connections()).isZero();
    }

    @Test
    void countsAreThoseOfAMap() {
        Random random = new Random(7);
        ClientCounts counts = new ClientCounts();
        Map<Long, Integer> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            long client = random.nextInt(300);
            if (random.nextBoolean() && expected.getOrDefault(client, 0) > 0) {
                counts.remove(client);
                expected.merge(client, -1, Integer::sum);
            } else {
                counts.add(client);
                expected.merge(client, 1, Integer::sum);
            }
            assertThat(counts.of(client)).isEqualTo(expected.get(client));
        }
        expected.forEach((client, count) -> assertThat(counts.of(client)).isEqualTo(count));
        assertThat(counts.total())
                .isEqualTo(
                        expected.values().stream().mapToInt(Integer::intValue).sum());
    }

    @Test
    void addressOfIpv6CountsByItsNetwork() {
        assertThat(key("2001:db8:1:2::1")).isEqualTo(key("2001:db8:1:2:ffff::"));
        assertThat(key("2001:db8:1:2::1")).isNotEqualTo(key("2001:db8:1:3::1"));
        assertThat(key("192.0.2.1")).isNotEqualTo(key("192.0.2.2"));
        assertThat(key("::ffff:192.0.2.1")).isEqualTo(key("192.0.2.1"));
    }

    private static long key(String address) {
        return ClientKey.of(InetAddress.ofLiteral(address));
    }

    @Test
    void oneAddressLeavesPlacesToOthersHoweverManyItWants() {
        AddressShares shares = new AddressShares();
        int crowd = 0;
        while (shares.tryTake(CROWD, 1000)) {
            crowd++;
        }
        assertThat(crowd).isBetween(750, 850);
        int second = 0;
        while (shares.tryTake(3, 1000)) {
            second++;
        }
        assertThat(second).isPositive();
        assertThat(shares.tryTake(NEWCOMER, 1000)).isTrue();
        for (int i = 0; i < crowd; i++) {
            shares.giveBack(CROWD);
        }
        assertThat(shares.total()).isEqualTo(second + 1);
        assertThat(shares.tryTake(CROWD, 1)).isFalse();
        assertThat(new AddressShares().tryTake(CROWD, 1)).isTrue();
    }
}

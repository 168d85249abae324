package io.sigma.dataplane.flow;

import io.sigma.check.StreamCheck;
import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.engine.RpcClient;
import io.sigma.dataplane.engine.RpcEvents;
import io.sigma.dataplane.engine.RpcRequest;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.StreamClient;
import io.sigma.dataplane.engine.StreamEvents;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.StreamEnd;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.dataplane.upstream.pool.AddressShares;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerUdp;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Gives each request of a listener the proxy server as the active snapshot has it. The connections of the listener
 * call it. Thread-safe.
 */
public final class ServerDispatch implements ServerBinding {

    private static final int SESSIONS_PER_ADDRESS = ServerUdp.builder().build().sessionsPerAddressMax();

    private final ExchangeServices services;
    private final ActiveSnapshot active;
    private final RuntimeServer first;
    private final String id;
    private final LongAdder refusedByAddress;
    private final AddressShares connections = new AddressShares();

    /**
     * @param first serves requests that come in before the snapshot for which the listener was opened is active, and
     *     after one became active that does not have it any more
     * @param refusedByAddress counts connections that were refused because their address had its share
     */
    public ServerDispatch(
            ExchangeServices services, ActiveSnapshot active, RuntimeServer first, LongAdder refusedByAddress) {
        this.refusedByAddress = refusedByAddress;
        this.services = services;
        this.active = active;
        this.first = first;
        this.id = first.id();
    }

    @Override
    public ExchangeEvents open(Exchange exchange, @Nullable ExchangeEvents before) {
        RuntimeSnapshot snapshot = active.current();
        RuntimeServer server = server(snapshot);
        long revision = snapshot.source().revision();
        if (before instanceof ExchangeHandler handler) {
            handler.again(server, revision);
            return handler;
        }
        return new ExchangeHandler(services, server, revision, exchange);
    }

    @Override
    public StreamEvents open(StreamClient client) {
        RuntimeSnapshot snapshot = active.current();
        return new StreamHandler(
                services, active, server(snapshot), snapshot.source().revision(), client);
    }

    @Override
    public boolean passesThrough() {
        return !server().streams().entries().isEmpty();
    }

    @Override
    public boolean passesThrough(@Nullable String serverName, List<String> protocols, @Nullable InetAddress client) {
        return server().streams().find(serverName, protocols, client) != null;
    }

    @Override
    public void passed(int loop, boolean fromClient) {
        server().datagrams().passed(loop, fromClient);
    }

    @Override
    public void dropped(int loop, StreamEnd.Drop reason) {
        server().datagrams().dropped(loop, reason);
    }

    @Override
    public RpcEvents open(RpcRequest request) {
        RuntimeSnapshot snapshot = active.current();
        return new RpcHandler(services, server(snapshot), snapshot.source().revision(), request);
    }

    @Override
    public Runnable show(RpcClient client) {
        RuntimeSnapshot snapshot = active.current();
        return new LiveRpc(
                services.loops().get(client.loop()),
                server(snapshot),
                snapshot.source().revision(),
                client)::ended;
    }

    @Override
    public ProxyServer source() {
        return server().source();
    }

    @Override
    public boolean connected(long client) {
        RuntimeServer server = server();
        long refused = connections.refused();
        ServerUdp udp = server.source().udp();
        int eachMax = udp == null ? eachMax(server.source()) : udp.sessionsPerAddressMax();
        if (!connections.tryTake(client, server.source().limits().connectionsMax(), eachMax)) {
            if (connections.refused() != refused) {
                refusedByAddress.increment();
            }
            return false;
        }
        server.meters().connected();
        return true;
    }

    @Override
    public boolean isFull() {
        return connections.total() >= server().source().limits().connectionsMax();
    }

    @Override
    public boolean trusts(InetAddress peer) {
        return server().trusted().trusts(peer);
    }

    @Override
    public void disconnected(long client) {
        connections.giveBack(client);
        first.meters().disconnected();
    }

    private static int eachMax(ProxyServer source) {
        return StreamCheck.isDatagrams(source) ? SESSIONS_PER_ADDRESS : Integer.MAX_VALUE;
    }

    private RuntimeServer server() {
        return server(active.current());
    }

    private RuntimeServer server(RuntimeSnapshot snapshot) {
        RuntimeServer server = snapshot.server(id);
        return server == null ? first : server;
    }
}

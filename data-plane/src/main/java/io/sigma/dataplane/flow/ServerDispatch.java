package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.engine.RpcEvents;
import io.sigma.dataplane.engine.RpcRequest;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.StreamClient;
import io.sigma.dataplane.engine.StreamEvents;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.dataplane.upstream.pool.AddressShares;
import io.sigma.model.ProxyServer;
import java.net.InetAddress;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Gives each request of a listener the proxy server as the active snapshot has it. The connections of the listener
 * call it. Thread-safe.
 */
public final class ServerDispatch implements ServerBinding {

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
        RuntimeServer server = server();
        if (before instanceof ExchangeHandler handler) {
            handler.again(server);
            return handler;
        }
        return new ExchangeHandler(services, server, exchange);
    }

    @Override
    public StreamEvents open(StreamClient client) {
        RuntimeSnapshot snapshot = active.current();
        RuntimeServer server = snapshot.server(id);
        return new StreamHandler(
                services,
                active,
                server == null ? first : server,
                snapshot.source().revision(),
                client);
    }

    @Override
    public RpcEvents open(RpcRequest request) {
        return new RpcHandler(services, server(), request);
    }

    @Override
    public ProxyServer source() {
        return server().source();
    }

    @Override
    public boolean connected(long client) {
        RuntimeServer server = server();
        long refused = connections.refused();
        if (!connections.tryTake(client, server.source().limits().connectionsMax())) {
            if (connections.refused() != refused) {
                refusedByAddress.increment();
            }
            return false;
        }
        server.meters().connected();
        return true;
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

    private RuntimeServer server() {
        RuntimeServer server = active.current().server(id);
        return server == null ? first : server;
    }
}

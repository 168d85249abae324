package io.sigma.dataplane.engine.accept;

import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.model.ProxyServer;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** What a listener serves, as long as the process has sockets for it. Thread-safe. */
final class BudgetedBinding implements ServerBinding {

    private final ServerBinding delegate;
    private final SocketBudget sockets;

    BudgetedBinding(ServerBinding delegate, SocketBudget sockets) {
        this.delegate = delegate;
        this.sockets = sockets;
    }

    @Override
    public ExchangeEvents open(Exchange exchange, @Nullable ExchangeEvents before) {
        return delegate.open(exchange, before);
    }

    @Override
    public ProxyServer source() {
        return delegate.source();
    }

    @Override
    public boolean connected(long client) {
        if (!sockets.tryClient(client)) {
            return false;
        }
        if (!delegate.connected(client)) {
            sockets.clientClosed(client);
            return false;
        }
        return true;
    }

    @Override
    public boolean trusts(InetAddress peer) {
        return delegate.trusts(peer);
    }

    @Override
    public void disconnected(long client) {
        sockets.clientClosed(client);
        delegate.disconnected(client);
    }
}

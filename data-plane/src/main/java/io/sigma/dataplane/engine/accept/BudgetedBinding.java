package io.sigma.dataplane.engine.accept;

import io.sigma.dataplane.engine.ListenerBinding;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.model.ProxyServer;
import java.net.InetAddress;

/**
 * A {@code ListenerBinding} that accepts only as long as the process has sockets. {@code GatewayEngine} wraps each
 * binding in it. Thread-safe.
 */
public final class BudgetedBinding implements ListenerBinding {

    private final ListenerBinding delegate;
    private final SocketBudget sockets;

    public BudgetedBinding(ListenerBinding delegate, SocketBudget sockets) {
        this.delegate = delegate;
        this.sockets = sockets;
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
    public boolean isFull() {
        return delegate.isFull();
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

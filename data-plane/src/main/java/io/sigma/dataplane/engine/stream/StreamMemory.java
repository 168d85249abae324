package io.sigma.dataplane.engine.stream;

import io.sigma.dataplane.engine.ListenerBinding;
import io.sigma.dataplane.exchange.StreamEnd;
import io.sigma.dataplane.loop.HeldMemory;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Counts the memory that a connection holds for client and node. Confined to the event loop. */
final class StreamMemory extends HeldMemory.Holder {

    private final StreamConnection connection;
    private final ListenerBinding binding;

    StreamMemory(StreamConnection connection, ListenerBinding binding) {
        this.binding = binding;
        this.connection = connection;
    }

    @Override
    protected long held() {
        return connection.held();
    }

    @Override
    protected long taken() {
        return connection.bytesIn() + connection.bytesOut() - connection.held();
    }

    @Override
    protected @Nullable Object owner() {
        InetSocketAddress address = connection.peerAddress();
        return address == null ? null : binding.ownerOf(address.getAddress());
    }

    @Override
    protected void end() {
        connection.endNow(StreamEnd.HOLDS_TOO_MUCH);
    }
}

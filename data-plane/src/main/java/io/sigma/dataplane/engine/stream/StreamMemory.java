package io.sigma.dataplane.engine.stream;

import io.sigma.dataplane.loop.HeldMemory;
import org.jspecify.annotations.Nullable;

/** What a connection holds for client and node. Confined to the event loop. */
final class StreamMemory extends HeldMemory.Holder {

    private final StreamConnection connection;

    StreamMemory(StreamConnection connection) {
        this.connection = connection;
    }

    @Override
    protected long held() {
        return connection.held();
    }

    @Override
    protected @Nullable Object owner() {
        return connection.memoryOwner();
    }

    @Override
    protected void end() {
        connection.endForMemory();
    }
}

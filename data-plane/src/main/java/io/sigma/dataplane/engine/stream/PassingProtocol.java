package io.sigma.dataplane.engine.stream;

import io.netty.channel.ChannelHandler;
import io.sigma.dataplane.engine.accept.AcceptedConnection;
import io.sigma.dataplane.engine.accept.ListenerProtocol;
import org.jspecify.annotations.Nullable;

/**
 * HTTPS, as a listener serves it that passes on some connections without decrypting them (ADR 79). Thread-safe.
 *
 * @param decrypted speaks on the others
 */
public record PassingProtocol(ListenerProtocol decrypted, StreamProtocol passed) implements ListenerProtocol {

    @Override
    public Speaker speaker(AcceptedConnection connection) {
        return decrypted.speaker(connection);
    }

    @Override
    public @Nullable ChannelHandler beforeTls(AcceptedConnection connection, Fate fate) {
        return passed.binding().passesThrough() ? new HelloPeek(passed, connection, fate) : null;
    }
}

package io.sigma.dataplane.engine.stream;

import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.accept.AcceptedConnection;
import io.sigma.dataplane.engine.accept.ListenerProtocol;
import io.sigma.dataplane.engine.node.NodeDialer;
import io.sigma.model.Protocol;
import java.util.List;

/**
 * TCP and TLS that is not decrypted, as a listener serves them. Thread-safe.
 *
 * @param loops by the index of their event loop
 */
public record StreamProtocol(ServerBinding binding, List<StreamLoop> loops, NodeDialer dialer)
        implements ListenerProtocol {

    public StreamProtocol {
        loops = List.copyOf(loops);
    }

    @Override
    public Speaker speaker(AcceptedConnection connection) {
        return speaker(connection, new EarlyBytes());
    }

    /** As {@link #speaker(AcceptedConnection)}, for a connection that has already sent {@code early}. */
    Speaker speaker(AcceptedConnection connection, EarlyBytes early) {
        return new StreamConnection(this, loops.get(connection.loop().index()), connection, early);
    }

    /** Returns whether the first message of TLS is looked at before a node is chosen. */
    boolean peeks() {
        return binding.source().protocol() == Protocol.TLS;
    }
}

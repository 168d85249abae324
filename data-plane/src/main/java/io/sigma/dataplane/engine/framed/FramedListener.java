package io.sigma.dataplane.engine.framed;

import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.accept.AcceptedConnection;
import io.sigma.dataplane.engine.accept.ListenerProtocol;
import io.sigma.model.Protocol;
import java.util.List;

/**
 * A protocol of frames, as a listener serves it. Thread-safe.
 *
 * @param loops by the index of their event loop
 */
public record FramedListener(ServerBinding binding, Protocol protocol, List<FramedLoop> loops)
        implements ListenerProtocol {

    public FramedListener {
        loops = List.copyOf(loops);
    }

    @Override
    public Speaker speaker(AcceptedConnection connection) {
        return new FramedConnection(
                binding,
                FramedProtocols.of(protocol),
                loops.get(connection.loop().index()),
                connection);
    }
}

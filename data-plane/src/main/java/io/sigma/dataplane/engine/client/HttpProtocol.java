package io.sigma.dataplane.engine.client;

import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.accept.AcceptedConnection;
import io.sigma.dataplane.engine.accept.ListenerProtocol;
import io.sigma.dataplane.engine.relay.SpoolFiles;
import io.sigma.dataplane.loop.Loop;
import io.sigma.model.ServerLimits;
import java.util.List;
import java.util.function.Supplier;

/** HTTP/1.1 and HTTP/2, as a listener serves them. {@code GatewayEngine} opens listeners with it. Thread-safe. */
public final class HttpProtocol implements ListenerProtocol {

    private final ServerBinding binding;
    private final List<HttpLoop> loops;
    private final SpoolFiles spools;
    private final boolean sendsFiles;
    private final Supplier<ServerLimits> limits;

    /**
     * @param loops by the index of their event loop
     * @param spools where responses wait for slow clients
     * @param sendsFiles whether the transport sends files of plaintext connections without copying them
     */
    public HttpProtocol(ServerBinding binding, List<HttpLoop> loops, SpoolFiles spools, boolean sendsFiles) {
        this.binding = binding;
        this.loops = loops;
        this.spools = spools;
        this.sendsFiles = sendsFiles;
        this.limits = binding::limits;
    }

    @Override
    public Speaker speaker(AcceptedConnection connection) {
        return new HttpConnection(this, connection);
    }

    ServerBinding binding() {
        return binding;
    }

    HttpLoop loop(Loop loop) {
        return loops.get(loop.index());
    }

    SpoolFiles spools() {
        return spools;
    }

    boolean sendsFiles() {
        return sendsFiles;
    }

    /** Returns what returns the limits as they are now. */
    Supplier<ServerLimits> limits() {
        return limits;
    }
}

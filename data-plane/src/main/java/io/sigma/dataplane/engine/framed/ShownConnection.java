package io.sigma.dataplane.engine.framed;

import io.sigma.dataplane.engine.RpcClient;
import io.sigma.dataplane.engine.accept.AcceptedConnection;
import io.sigma.dataplane.engine.accept.DecryptedNames;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The data of a client's connection that an operator sees. Confined to its event loop. */
final class ShownConnection implements RpcClient {

    private final AcceptedConnection accepted;
    private final Runnable end;
    private final long startNanos;
    private long bytesIn;
    private long bytesOut;

    /**
     * @param end ends the connection, behind what was written
     */
    ShownConnection(AcceptedConnection accepted, Runnable end) {
        this.accepted = accepted;
        this.end = end;
        this.startNanos = accepted.loop().nanos();
    }

    void read(int bytes) {
        bytesIn += bytes;
    }

    void written(int bytes) {
        bytesOut += bytes;
    }

    @Override
    public int loop() {
        return accepted.loop().index();
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return accepted.remoteAddress();
    }

    @Override
    public @Nullable InetSocketAddress peerAddress() {
        return accepted.channel().remoteAddress() instanceof InetSocketAddress known ? known : null;
    }

    @Override
    public @Nullable String serverName() {
        return DecryptedNames.of(accepted.session());
    }

    @Override
    public long startNanos() {
        return startNanos;
    }

    @Override
    public long bytesIn() {
        return bytesIn;
    }

    @Override
    public long bytesOut() {
        return bytesOut;
    }

    @Override
    public void close() {
        end.run();
    }
}

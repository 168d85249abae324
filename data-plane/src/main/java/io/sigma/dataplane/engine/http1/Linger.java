package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.engine.relay.ClientSocket;
import io.sigma.dataplane.engine.tunnel.LingeringClose;
import io.sigma.dataplane.loop.Deadlines;

/**
 * Reads on for a while after the answer to a request whose body nobody wants, so that the client, which still sends,
 * can read that answer. After it the connection may take the next head, which {@link LingeringClose} never does; time
 * and bytes have the same bounds. Confined to the event loop of the connection.
 */
final class Linger extends Deadlines.Entry {

    private final ClientRequest request;
    private final ClientSocket socket;

    Linger(ClientRequest request, ClientSocket socket) {
        this.request = request;
        this.socket = socket;
    }

    void begin() {
        // The bytes that arrive are not a head, so the time limit of a head does not apply.
        socket.exchangeBegun();
        request.body().discard(LingeringClose.BYTES_MAX);
        if (request.isClosing()) {
            socket.endOutput();
        }
        deadlines().set(this, LingeringClose.MILLIS);
    }

    /** All of the body has come: what follows is the next head. */
    void over() {
        end();
        socket.exchangeEnded();
    }

    /** The client is gone, or has had its time. */
    void end() {
        deadlines().remove(this);
    }

    private Deadlines deadlines() {
        return socket.loop().exchangeDeadlines();
    }

    @Override
    protected void onDeadline() {
        end();
        if (!request.body().isEnded() || request.isClosing()) {
            request.closeConnection();
        }
    }

    @Override
    protected void onDeadlineFailed() {
        request.closeConnection();
    }
}

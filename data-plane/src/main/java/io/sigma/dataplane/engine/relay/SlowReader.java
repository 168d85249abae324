package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import org.jspecify.annotations.Nullable;

/**
 * Holds a response that its client reads more slowly than the node sends. The response waits in memory or on the disk,
 * so that the node need not wait, and the client must read at the least rate. It serves one response of the stream
 * after another. Confined to the event loop of the client's connection.
 */
final class SlowReader implements Patience.Reader {

    private final ClientStream client;
    private final ClientSocket socket;
    /** Response bytes that the client has not read yet. Null while no byte waits, and after the end of the response. */
    private @Nullable Spool spool;
    /** Stopped once the response has ended. */
    private @Nullable ReadRate rate;
    /** Gives the client some time before its response waits here. Null before it was needed. */
    private @Nullable Patience patience;

    SlowReader(ClientStream client, ClientSocket socket) {
        this.client = client;
        this.socket = socket;
    }

    // --- What waits

    /**
     * Has the response wait beside the connection from now on, where there is room for that. At first the client is
     * waited for.
     *
     * @return whether it does
     */
    boolean spool() {
        Patience known = patience;
        if (known == null) {
            known = new Patience(this, client.loop().exchangeDeadlines(), client.loop()::nanos);
            patience = known;
        }
        return !known.grants() && trySpool();
    }

    @Override
    public void onSlow() {
        if (!client.isEnded() && trySpool()) {
            client.resumeCall();
        }
    }

    private boolean trySpool() {
        if (spool == null && socket.spools().takeFile()) {
            Object owner = socket.owner();
            spool = new Spool(this, client, socket.spools(), owner == null ? socket : owner);
        }
        return spool != null;
    }

    /** Returns whether the response waits beside the connection. */
    boolean isSpooled() {
        return spool != null;
    }

    /** Returns whether the node has to wait before it sends more; {@link Call#onClientDrained} follows. */
    boolean isFull() {
        return spool != null && spool.isFull();
    }

    /** Returns how much memory is held for what waits, in bytes. */
    long cost() {
        return spool == null ? 0 : spool.cost();
    }

    /** Writes a piece of the response, which is this method's to release, behind what waits. */
    void write(ByteBuf piece) {
        if (spool == null) {
            client.write(piece);
        } else {
            spool.add(piece);
        }
    }

    /**
     * Ends the response when the client has what waits.
     *
     * @param trailers null for none
     */
    void finish(@Nullable Fields trailers) {
        if (spool == null) {
            client.finish(trailers);
        } else {
            spool.end(trailers);
        }
    }

    /** The client reads again. */
    void drained() {
        if (patience != null) {
            patience.pause();
        }
        Spool waiting = spool;
        if (waiting == null) {
            client.resumeCall();
            return;
        }
        waiting.pump();
        if (!waiting.isFull()) {
            moved();
        }
    }

    /** There may be room for more of the response. */
    void moved() {
        Spool waiting = spool;
        if (waiting == null || (!waiting.isEnded() && !waiting.isFull())) {
            client.resumeCall();
        }
    }

    /** Ends the response: the waiting bytes cannot be read from the file. */
    void failed() {
        fail(GatewayError.gateway(ErrorKind.INTERNAL, null));
    }

    // --- How fast the client reads

    /** Watches from now on that the client reads at its least rate. */
    void watch() {
        ReadRate watching = rate;
        if (watching == null) {
            watching = new ReadRate(this, client.loop().connectionDeadlines(), socket.limits());
            rate = watching;
        }
        watching.start();
    }

    @Override
    public long taken() {
        return client.exchange().bytesOut() - (spool == null ? 0 : spool.bytes()) - client.unread();
    }

    /** Returns how much the client has not received of what was given to its connection, in bytes. */
    long undelivered() {
        return client.undelivered();
    }

    /** Returns whether the client has to read before more can be sent, or before the response is over. */
    boolean isWaitedFor() {
        return !client.isEnded() && (client.unread() > 0 || spool != null);
    }

    /** The client reads more slowly than it may. */
    void tooSlow() {
        fail(GatewayError.downstream(ErrorKind.READ_TOO_SLOW));
    }

    // --- Ends

    private void fail(GatewayError error) {
        if (!client.isEnded()) {
            client.exchange().fail(error);
            client.abort();
        }
    }

    /** Lets go of everything: the response has ended. */
    void close() {
        Spool waiting = spool;
        spool = null;
        if (waiting != null) {
            waiting.close();
        }
        if (patience != null) {
            patience.stop();
        }
        if (rate != null) {
            rate.stop();
        }
    }
}

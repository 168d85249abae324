package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.match.RpcSubject;
import io.sigma.dataplane.upstream.NodeEndpoint;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A request of a protocol whose messages are frames, as the control flow sees it. Confined to its event loop. */
public interface RpcRequest extends RpcSubject {

    /** Returns the index of its event loop. */
    int loop();

    /** Returns whose connection it came on, by the PROXY protocol too; null when unknown. */
    @Nullable
    InetSocketAddress remoteAddress();

    /** Returns the address at the other end of the socket; null when unknown. */
    @Nullable
    InetSocketAddress peerAddress();

    /** Returns the protocol as it is logged: {@code BOLT/1}. */
    String protocol();

    /** Returns how long the client waits, in milliseconds; 0 when it does not say. */
    int timeoutMillis();

    /** Returns whether no answer is expected. */
    boolean isOneWay();

    /** Returns when it was complete, by {@link System#nanoTime()}. */
    long startNanos();

    /** Returns how many bytes its frame has. */
    long bytesIn();

    /** Returns how many bytes the frame of the answer has; 0 while there is none. */
    long bytesOut();

    /** Returns the status of the node's answer, in terms of the protocol; -1 when there is none. */
    int answerStatus();

    /** Returns whether too much memory is held for the client, so that nothing more is taken. */
    boolean isRefused();

    /**
     * Sends it to {@code node}; one of {@link RpcEvents#onUnsent} and {@link RpcEvents#onSent} follows, maybe before
     * this returns.
     *
     * @param connectMillis longest wait for a connection
     */
    void send(NodeEndpoint node, int connectMillis);

    /** Ends it with an error in terms of its protocol, if an answer is expected. */
    void fail(ErrorKind kind);

    /** Ends it: it was sent, and no answer is expected. */
    void finish();
}

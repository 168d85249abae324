package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.health.HealthProber;
import io.sigma.model.ProxyServer;
import io.vertx.core.Future;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Opens listeners, and carries exchanges between clients and nodes. {@code Listeners} and the classes of {@code flow}
 * call it. Everything for an exchange is done on its event loop, and the exchange must be one that the engine itself
 * began.
 */
public interface Engine {

    /** Returns the event loops that carry traffic; the index of each is its place. */
    List<Loop> eventLoops();

    /** Returns an event loop that carries no traffic, if there is one more than those that do; else one of them. */
    Executor spareLoop();

    /** Returns how connections to nodes are opened. */
    Connector connector();

    /** Returns how nodes are asked for their health, off the loops that carry traffic if there is another one. */
    HealthProber prober();

    /**
     * Opens a listener on every event loop; from any thread.
     *
     * @param tls null for a listener in plaintext
     * @return fails when the address cannot be bound; nothing is open then
     */
    Future<ListenerHandle> open(ProxyServer source, @Nullable TlsMaterial tls, ServerBinding binding);

    /**
     * Looks whether a listener could be opened for {@code source}, or be changed to it; opens nothing. Blocks.
     *
     * @param tls null for a listener in plaintext
     * @throws GeneralSecurityException when {@code tls} cannot be used, with a message for people
     * @throws IllegalArgumentException when something else of {@code source} cannot be, with a message for people
     */
    void check(ProxyServer source, @Nullable TlsMaterial tls) throws GeneralSecurityException;

    /** Returns whether a listener for {@code source} gets sockets that another process has bound; from any thread. */
    default boolean isInherited(ProxyServer source) {
        return false;
    }

    /** Closes the connections to nodes; from any thread. */
    void close();

    /**
     * Sends the request to a node; {@code events} receives the outcome. When that is a failure the request may be sent
     * again, to another node, as long as {@link #isReplayable} says so.
     */
    void call(Exchange exchange, Forward forward, ForwardEvents events);

    /**
     * Returns whether the node answered, or broke off its answer, when it had waited for a while for the rest of the
     * request, which the client is slow to send.
     */
    boolean isClientBehind(Exchange exchange);

    /** Returns whether every byte of the request's body that was sent is still held. */
    boolean isReplayable(Exchange exchange);

    /**
     * Returns the node to which the client has a connection of its own, on which a user is authenticated; null for
     * none.
     */
    @Nullable
    NodeEndpoint ownNode(Exchange exchange);

    /** Sends the response that {@link ForwardEvents#onResponse} announced, with back-pressure in both directions. */
    void relay(Exchange exchange, ResponseHead head);

    /**
     * Answers 101 and passes bytes in both directions until either side ends, with back-pressure in both directions.
     *
     * @return what ends both sides, behind what was written; on the event loop of the exchange, also when it is over
     */
    Runnable tunnel(Exchange exchange, ResponseHead head);

    /**
     * Sends a copy of the request, with the fields that it has now and the whole of its body, to a node and throws the
     * answer away. It goes on when the exchange is over, and is given up when the body is aborted.
     *
     * @param bodyBytesMax a request with a longer body is not sent
     * @param timeoutMillis from now to the end of the answer
     * @param events of the copy, on the event loop of the exchange
     */
    void mirror(Exchange exchange, Forward forward, int bodyBytesMax, int timeoutMillis, MirrorEvents events);

    /** Gives up the call in progress: a waiting one leaves its queue, an open connection is closed. */
    void cancel(Exchange exchange);
}

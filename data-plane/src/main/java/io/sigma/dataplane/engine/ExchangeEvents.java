package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.loop.Prefetched;
import org.jspecify.annotations.Nullable;

/**
 * The events of an exchange that an engine reports. {@code flow.ExchangeHandler} implements it, and {@code
 * ClientStream} calls it. Called on the event loop of the exchange.
 */
public interface ExchangeEvents extends Prefetched {

    /** Begins the exchange: its head is decoded and valid. */
    void begin();

    /** Answers a request that the engine could not accept; nothing of it is forwarded, the connection is closed. */
    void refuse(GatewayError error);

    /**
     * The body is larger than allowed, malformed or too slow; the engine has stopped reading it.
     */
    void onBodyRefused(ErrorKind kind);

    /**
     * The exchange is over: the response is written, or the client is gone, or the connection was aborted. Called
     * exactly once.
     *
     * @param error why the response is not complete; null when it is
     */
    void onEnd(@Nullable GatewayError error);
}

package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.GatewayError;
import org.jspecify.annotations.Nullable;

/**
 * The questions and events of an engine about a copy of a request for a mirror. {@code flow.Mirroring} implements it,
 * and {@code relay.MirrorCall} calls it. Called on the event loop of the exchange.
 */
public interface MirrorEvents {

    /**
     * Asks whether more of the copy may be held until it has ended.
     *
     * @param bytes the memory that it takes: of the head first, then of the body
     */
    boolean tryHold(long bytes);

    /**
     * The copy has ended, and nothing is held for it any more.
     *
     * @param status of the answer; 0 when there was none
     * @param error null when the node answered; of kind BODY_TOO_LARGE, TOO_BUSY or CLIENT_ABORTED when nothing was
     *     sent to it
     */
    void onEnd(int status, @Nullable GatewayError error);
}

package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.GatewayError;
import org.jspecify.annotations.Nullable;

/** What became of the copy of a request. */
@FunctionalInterface
public interface MirrorEnd {

    /**
     * @param status of the answer; 0 when there was none
     * @param error null when the node answered; of kind BODY_TOO_LARGE or CLIENT_ABORTED when nothing was sent to it
     */
    void ended(int status, @Nullable GatewayError error);
}

package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Prefetched;

/**
 * The events of a {@link Forward} that an engine reports. {@code flow.Forwarding} implements it, and {@code relay.Call}
 * calls it. Called on the event loop of the exchange.
 */
public interface ForwardEvents extends Prefetched {

    /** No connection was obtained and nothing was sent, or nothing that was sent can have had an effect. */
    void onUnsent(GatewayError error);

    /** The head of the final response is there, the body is held back until {@link Engine#relay} is called. */
    void onResponse(ResponseHead head);

    /** The node switches protocols (101); nothing is passed on until {@link Engine#tunnel} is called. */
    void onSwitching(ResponseHead head);

    /** The node failed after the request was sent and before its response. */
    void onFailed(GatewayError error);
}

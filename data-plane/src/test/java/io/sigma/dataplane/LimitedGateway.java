package io.sigma.dataplane;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Starts gateways with a budget of sockets, which code outside this package cannot choose. */
public final class LimitedGateway {

    private LimitedGateway() {}

    /** Returns a gateway that may have so many sockets, once it serves. */
    public static Future<Gateway> start(Vertx vertx, GatewaySettings settings, SocketBudget sockets) {
        return Gateway.start(vertx, settings, null, sockets, false);
    }
}

package io.sigma.dataplane.engine.client;

import io.netty.channel.EventLoop;
import io.sigma.dataplane.engine.http1.Http1Loop;
import io.sigma.dataplane.engine.relay.TargetCache;

/**
 * The state that the connections of clients on one event loop share. {@code GatewayEngine} makes one for each event
 * loop.
 *
 * @param http1 also with connections to nodes
 * @param targets that were asked for on this loop
 */
public record HttpLoop(Http1Loop http1, TargetCache targets) {

    public static HttpLoop on(EventLoop loop) {
        return new HttpLoop(new Http1Loop(loop), new TargetCache());
    }
}

package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.exchange.TrustedProxies;
import io.sigma.dataplane.filter.chain.FilterChain;
import io.sigma.dataplane.match.RouteTable;
import io.sigma.dataplane.match.RouterRoutes;
import io.sigma.dataplane.match.RpcTable;
import io.sigma.dataplane.match.StreamTable;
import io.sigma.dataplane.telemetry.RouteMeters;
import io.sigma.dataplane.telemetry.ServerMeters;
import io.sigma.dataplane.telemetry.StreamMeters;
import io.sigma.model.ProxyServer;
import io.sigma.model.Router;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A proxy server, compiled. Immutable.
 *
 * @param source the resource that this was compiled from
 * @param trusted whose forwarding fields are believed
 * @param filters for requests that meet no route
 * @param unrouted counts requests that meet no route
 * @param streams the routers that pass bytes; none on a proxy server that speaks HTTP alone
 * @param rpc the routers of a proxy server that takes requests in frames; none for another one
 * @param unmatched counts connections that meet none of them
 * @param datagrams counts those of a proxy server with the protocol UDP
 */
public record RuntimeServer(
        ProxyServer source,
        RouteTable<RuntimeRoute> table,
        TrustedProxies trusted,
        FilterChain filters,
        ServerMeters meters,
        RouteMeters unrouted,
        StreamTable<StreamRouter> streams,
        RpcTable<StreamRouter> rpc,
        StreamMeters unmatched,
        StreamMeters.Datagrams datagrams) {

    /**
     * A router that passes bytes, compiled. Immutable.
     *
     * @param source the resource that this was compiled from
     * @param pass where its connections, or requests, go
     * @param meters counts connections
     * @param requests counts requests in frames; null where there are none
     */
    public record StreamRouter(
            Router source,
            RuntimePass.ToUpstream pass,
            StreamMeters meters,
            @Nullable RouteMeters requests) {

        public String id() {
            return String.valueOf(source.id());
        }
    }

    /**
     * Returns this server with other routes in the place of some.
     *
     * @param replaced routers of this server, and what is in their place
     */
    RuntimeServer with(Map<RouterRoutes<RuntimeRoute>, RouterRoutes<RuntimeRoute>> replaced) {
        return new RuntimeServer(
                source, table.with(replaced), trusted, filters, meters, unrouted, streams, rpc, unmatched, datagrams);
    }

    public String id() {
        return String.valueOf(source.id());
    }

    /** Returns the largest body of a request, in bytes. */
    public long bodyBytesMax() {
        return source.limits().bodyBytesMax();
    }
}

package io.sigma.dataplane.warmup;

import io.sigma.model.ClientTls;
import io.sigma.model.Node;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.ServerTls;
import io.sigma.model.Timeouts;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A made-up configuration, and requests for it, of the shapes that a real one has. The gateway is its own client where
 * TLS or HTTP/2 is spoken: a route leads to a proxy server of the same configuration. Immutable.
 *
 * @param state what is served, on loopback addresses alone
 * @param requests in the order in which they are sent, again and again
 */
public record WarmUpConfiguration(ConfigState state, List<WarmUpRequest> requests) {

    /** In the target of a request, asks the node for a long body. */
    static final String LONG = "long";

    /** In the target of a request, asks the node for a body in chunks. */
    static final String CHUNKS = "chunks";

    private static final String LOOPBACK = "127.0.0.1";
    private static final String PLAIN = "warm-up";
    private static final String ENCRYPTED = "warm-up-tls";
    private static final String OVER_TLS = "over-tls";
    private static final String OVER_TLS_HTTP2 = "over-tls-http2";
    private static final String OVER_HTTP2 = "over-http2";
    private static final int BODY_BYTES = 600;
    private static final int OK = 200;
    /** Code that nothing has compiled yet may be slow, and the whole ends earlier. */
    private static final int PATIENCE_MILLIS = 30_000;

    /**
     * Where the made-up servers and the node listen on 127.0.0.1.
     *
     * @param node a peer that answers over HTTP/1.1
     * @param plain a proxy server in plaintext
     * @param encrypted a proxy server with TLS
     */
    public record Ports(int node, int plain, int encrypted) {}

    public WarmUpConfiguration {
        requests = List.copyOf(requests);
    }

    /** Returns what has the shapes of {@code real}: TLS, HTTP/2 and the filters that {@link WarmUpPlugins} takes. */
    public static WarmUpConfiguration of(ConfigState real, Ports ports) {
        List<EntityChange> made = new ArrayList<>();
        ServerTls tls = tls(real);
        boolean http2 = real.proxyServers().values().stream()
                .anyMatch(server -> server.enabled() && server.http2().enabled());
        server(made, PLAIN, ports.plain(), null);
        forward(made, PLAIN, "node", "http://" + LOOPBACK + ":" + ports.node(), NodeProtocol.HTTP1);
        // Whatever a plugin makes of a path. Another method is refused.
        route(made, PLAIN, "any", "/*", "node", "GET", "POST");
        if (tls != null) {
            tls.certificates()
                    .forEach(id -> made.add(new EntityChange(
                            ResourceType.CERTIFICATE.kind(),
                            id,
                            real.certificates().get(id))));
            server(made, ENCRYPTED, ports.encrypted(), tls);
            String url = "https://" + LOOPBACK + ":" + ports.encrypted();
            route(made, ENCRYPTED, "encrypted", "/*", "node");
            forward(made, PLAIN, OVER_TLS, url, NodeProtocol.HTTP1);
            if (http2) {
                forward(made, PLAIN, OVER_TLS_HTTP2, url, NodeProtocol.HTTP2);
            }
        } else if (http2) {
            forward(made, PLAIN, OVER_HTTP2, "http://" + LOOPBACK + ":" + ports.plain(), NodeProtocol.HTTP2);
        }
        Router router = Router.builder()
                .id(PLAIN)
                .proxyServerId(PLAIN)
                .plugins(WarmUpPlugins.of(real))
                .build();
        made.add(new EntityChange(ResourceType.ROUTER.kind(), PLAIN, router));
        return new WarmUpConfiguration(ConfigState.empty().with(made), requests(tls != null, http2));
    }

    /**
     * Returns what the first proxy server with TLS presents, with one certificate of all; clients need none. Null where
     * there is none.
     */
    private static @Nullable ServerTls tls(ConfigState real) {
        ServerTls tls = null;
        for (ProxyServer server : real.proxyServers().values()) {
            if (tls == null && server.enabled() && server.protocol() == Protocol.HTTPS) {
                tls = server.tls();
            }
        }
        if (tls == null) {
            return null;
        }
        Stream<String> named = tls.certPath() != null
                ? Stream.empty()
                : Stream.concat(tls.certificates().stream(), real.certificates().keySet().stream());
        return ServerTls.builder()
                .certPath(tls.certPath())
                .keyPath(tls.keyPath())
                .certificates(named.limit(1).toList())
                .minVersion(tls.minVersion())
                .build();
    }

    private static void server(List<EntityChange> made, String id, int port, @Nullable ServerTls tls) {
        ProxyServer server = ProxyServer.builder()
                .id(id)
                .host(LOOPBACK)
                .port(port)
                .protocol(tls == null ? Protocol.HTTP : Protocol.HTTPS)
                .tls(tls)
                .build();
        made.add(new EntityChange(ResourceType.PROXY_SERVER.kind(), id, server));
        Router router = Router.builder().id(id).proxyServerId(id).build();
        made.add(new EntityChange(ResourceType.ROUTER.kind(), id, router));
    }

    /** Leads everything below the path with that name to one node. */
    private static void forward(List<EntityChange> made, String router, String id, String url, NodeProtocol protocol) {
        Upstream upstream = Upstream.builder()
                .id(id)
                .nodes(List.of(Node.builder().url(url).build()))
                .protocol(protocol)
                .tls(ClientTls.builder().verify(false).build())
                .build();
        made.add(new EntityChange(ResourceType.UPSTREAM.kind(), id, upstream));
        // Requests that come back to the gateway's own proxy server go from there to the node.
        boolean again = !id.equals("node");
        ProxyPass pass = ProxyPass.builder()
                .id(id)
                .upstreamId(id)
                .stripPrefix(again ? "/" + id : null)
                .addPrefix(again ? "/node" : null)
                .timeouts(Timeouts.builder().connectMillis(PATIENCE_MILLIS).build())
                .build();
        made.add(new EntityChange(ResourceType.PROXY_PASS.kind(), id, pass));
        route(made, router, id, "/" + id + "/*", id);
    }

    private static void route(
            List<EntityChange> made, String router, String id, String path, String pass, String... methods) {
        Route route = Route.builder()
                .id(id)
                .routerId(router)
                .path(path)
                .methods(List.of(methods))
                .proxyPassId(pass)
                .build();
        made.add(new EntityChange(ResourceType.ROUTE.kind(), id, route));
    }

    /** Most requests of most gateways are the plain case; the others are spread among them. */
    private static List<WarmUpRequest> requests(boolean tls, boolean http2) {
        List<WarmUpRequest> others = new ArrayList<>();
        others.add(post("/node/items"));
        others.add(get("/node/" + LONG, "Accept-Encoding: gzip, br, zstd\r\n"));
        others.add(chunked("/node/items"));
        others.add(get("/node/" + CHUNKS, ""));
        others.add(new WarmUpRequest(line("DELETE", "/nothing") + "Connection: close\r\n\r\n", 405));
        if (tls) {
            others.add(get("/over-tls/items/42", ""));
            others.add(post("/over-tls/items"));
            others.add(get("/over-tls/items/42", ""));
        }
        if (http2) {
            String base = tls ? "/" + OVER_TLS_HTTP2 : "/" + OVER_HTTP2;
            others.add(get(base + "/items/42", ""));
            others.add(post(base + "/items"));
            others.add(get(base + "/" + CHUNKS, ""));
        }
        List<WarmUpRequest> all = new ArrayList<>();
        for (WarmUpRequest other : others) {
            all.add(get("/node/items/42", ""));
            all.add(get("/node/items/42", ""));
            all.add(other);
        }
        return all;
    }

    private static String line(String method, String target) {
        return method + " " + target + " HTTP/1.1\r\nHost: warm-up.invalid\r\nUser-Agent: sigma\r\nAccept: */*\r\n";
    }

    private static WarmUpRequest get(String target, String fields) {
        return new WarmUpRequest(line("GET", target) + fields + "\r\n", OK);
    }

    private static WarmUpRequest post(String target) {
        return new WarmUpRequest(
                line("POST", target) + "Content-Type: text/plain\r\nContent-Length: " + BODY_BYTES + "\r\n\r\n"
                        + "x".repeat(BODY_BYTES),
                OK);
    }

    private static WarmUpRequest chunked(String target) {
        return new WarmUpRequest(
                line("POST", target) + "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "4\r\nwarm\r\n2\r\nup\r\n0\r\n\r\n",
                OK);
    }
}

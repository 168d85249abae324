package io.sigma.dataplane.testkit;

import io.sigma.model.Certificate;
import io.sigma.model.ClientTls;
import io.sigma.model.Consumer;
import io.sigma.model.Mirror;
import io.sigma.model.Node;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Pool;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.ServerTls;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

/** Builds configurations for tests. */
public final class Config {

    private final Map<String, EntityChange> changes = new LinkedHashMap<>();

    /**
     * Returns a port that is free and stays so, also when it is bound again and again: systems take no port below 32768
     * for connections that are opened.
     */
    public static int freePort() {
        for (int tries = 0; tries < 100; tries++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // Somebody listens there.
            }
        }
        throw new IllegalStateException("no free port between 20000 and 32000");
    }

    /** Returns the configuration that sends everything on {@code port} to {@code nodes}. */
    public static Config forwarding(int port, String... nodes) {
        return new Config()
                .server("web", port)
                .router("all", "web")
                .route("any", "all", "/*", "pass")
                .pass("pass", "nodes")
                .upstream("nodes", nodes);
    }

    /** Copies the requests of {@code pass} to one more node. */
    public Config mirrored(String shadow) {
        return upstream("shadow", shadow)
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder()
                                .mirror(Mirror.builder().upstreamId("shadow").build())
                                .build());
    }

    /** Speaks HTTP/2 with {@code nodes}. */
    public Config overHttp2() {
        return with(
                ResourceType.UPSTREAM,
                "nodes",
                upstream -> upstream.toBuilder().protocol(NodeProtocol.HTTP2).build());
    }

    /** Closes connections to {@code nodes} a second after their last use, so that a test need not wait for it. */
    public Config closingIdle() {
        return pooled(Pool.builder().idleTimeoutMillis(1000));
    }

    /** Gives {@code nodes} that pool of connections. */
    public Config pooled(Pool.Builder pool) {
        return with(
                ResourceType.UPSTREAM,
                "nodes",
                upstream -> upstream.toBuilder().pool(pool.build()).build());
    }

    public Config copy() {
        Config copy = new Config();
        copy.changes.putAll(changes);
        return copy;
    }

    public Config server(String id, int port) {
        return server(ProxyServer.builder().id(id).host("127.0.0.1").port(port).build());
    }

    public Config server(ProxyServer server) {
        return put(ResourceType.PROXY_SERVER, server);
    }

    /** Lets a proxy server that is there speak TLS. */
    public Config encrypted(String server, ServerTls tls) {
        return with(
                ResourceType.PROXY_SERVER,
                server,
                one -> one.toBuilder().protocol(Protocol.HTTPS).tls(tls).build());
    }

    public Config router(String id, String server, String... hosts) {
        return router(Router.builder()
                .id(id)
                .proxyServerId(server)
                .hosts(List.of(hosts))
                .build());
    }

    public Config router(Router router) {
        return put(ResourceType.ROUTER, router);
    }

    public Config route(String id, String router, String path, String pass) {
        return route(Route.builder()
                .id(id)
                .routerId(router)
                .path(path)
                .proxyPassId(pass)
                .build());
    }

    public Config route(Route route) {
        return put(ResourceType.ROUTE, route);
    }

    public Config pass(String id, String upstream) {
        return pass(ProxyPass.builder().id(id).upstreamId(upstream).build());
    }

    public Config pass(ProxyPass pass) {
        return put(ResourceType.PROXY_PASS, pass);
    }

    public Config upstream(String id, String... urls) {
        return upstream(Upstream.builder()
                .id(id)
                .nodes(Arrays.stream(urls)
                        .map(url -> Node.builder().url(url).build())
                        .toList())
                .build());
    }

    public Config certificate(Certificate certificate) {
        return put(ResourceType.CERTIFICATE, certificate);
    }

    public Config upstream(Upstream upstream) {
        return put(ResourceType.UPSTREAM, upstream);
    }

    /** Says how the nodes of an upstream are spoken to. */
    public Config nodeTls(String upstream, ClientTls tls) {
        return with(
                ResourceType.UPSTREAM, upstream, one -> one.toBuilder().tls(tls).build());
    }

    /** Lets requests wait long for a connection, as where code that nothing compiled yet meets many of them. */
    public Config patient(String pass) {
        return with(
                ResourceType.PROXY_PASS,
                pass,
                one -> one.toBuilder()
                        .timeouts(
                                one.timeouts().toBuilder().connectMillis(20_000).build())
                        .build());
    }

    public Config consumer(Consumer consumer) {
        return put(ResourceType.CONSUMER, consumer);
    }

    /** Replaces a resource that is there. */
    public <T> Config with(ResourceType<T> type, String id, UnaryOperator<T> edit) {
        EntityChange change = changes.get(type.kind() + "/" + id);
        if (change == null || change.resource() == null) {
            throw new IllegalArgumentException(type + " " + id);
        }
        return put(type, edit.apply(type.cast(change.resource())));
    }

    public <T> Config without(ResourceType<T> type, String id) {
        changes.remove(type.kind() + "/" + id);
        return this;
    }

    public <T> Config put(ResourceType<T> type, T value) {
        String id = type.id(value);
        changes.put(type.kind() + "/" + id, new EntityChange(type.kind(), id, value));
        return this;
    }

    public <T> T get(ResourceType<T> type, String id) {
        return type.cast(
                Objects.requireNonNull(changes.get(type.kind() + "/" + id).resource(), id));
    }

    public List<String> ids(ResourceType<?> type) {
        return changes.values().stream()
                .filter(change -> change.kind() == type.kind())
                .map(EntityChange::id)
                .toList();
    }

    public ConfigState state() {
        return ConfigState.empty().with(new ArrayList<>(changes.values()));
    }
}

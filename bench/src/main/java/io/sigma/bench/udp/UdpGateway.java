package io.sigma.bench.udp;

import io.sigma.dataplane.Gateway;
import io.sigma.dataplane.engine.uring.TunedIoUring;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.transport.Transport;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A gateway with one event loop and one proxy server of UDP, until the process ends: the file formats of a gateway
 * without a control plane have no UDP. Arguments: port, port of the node, data folder, and {@code io_uring},
 * {@code epoll} or {@code nio}.
 */
public final class UdpGateway {

    private static final long START_SECONDS = 60;

    private UdpGateway() {}

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        Transport transport = Objects.requireNonNull(
                switch (arguments[3]) {
                    case "io_uring" -> TunedIoUring.ifAvailable();
                    case "epoll" -> Transport.EPOLL;
                    default -> Transport.NIO;
                },
                "this machine has no such transport");
        Vertx vertx = Vertx.builder()
                .withTransport(transport)
                .with(new VertxOptions().setEventLoopPoolSize(1))
                .build();
        Gateway gateway = Gateway.start(vertx, GatewaySettings.embedded(Path.of(arguments[2])))
                .await(START_SECONDS, TimeUnit.SECONDS);
        gateway.snapshotTarget()
                .apply(Snapshot.of(1, state(port, "http://127.0.0.1:" + arguments[1])))
                .await(START_SECONDS, TimeUnit.SECONDS);
        System.out.println("ready");
    }

    private static ConfigState state(int port, String node) {
        return ConfigState.empty()
                .with(List.of(
                        new EntityChange(
                                Kind.PROXY_SERVER,
                                "udp",
                                ProxyServer.builder()
                                        .id("udp")
                                        .host("127.0.0.1")
                                        .port(port)
                                        .protocol(Protocol.UDP)
                                        .build()),
                        new EntityChange(
                                Kind.ROUTER,
                                "all",
                                Router.builder()
                                        .id("all")
                                        .proxyServerId("udp")
                                        .proxyPassId("pass")
                                        .build()),
                        new EntityChange(
                                Kind.PROXY_PASS,
                                "pass",
                                ProxyPass.builder()
                                        .id("pass")
                                        .upstreamId("nodes")
                                        .build()),
                        new EntityChange(
                                Kind.UPSTREAM,
                                "nodes",
                                Upstream.builder()
                                        .id("nodes")
                                        .nodes(List.of(Node.builder().url(node).build()))
                                        .build())));
    }
}

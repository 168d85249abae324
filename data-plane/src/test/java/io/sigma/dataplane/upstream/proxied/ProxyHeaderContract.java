package io.sigma.dataplane.upstream.proxied;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.HeaderFront;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.NodeProxyProtocol;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Nodes behind what takes a PROXY header off; they answer with the source that the header had. */
abstract class ProxyHeaderContract extends TlsContract {

    static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final AtomicReference<HeaderFront> front = new AtomicReference<>();

    /** Answers each request with the source that the header of its connection had. */
    TestNode node() {
        return TestNode.start((request, connection) ->
                connection.ok(front.get().of(connection.socket().getPort()).source()));
    }

    HeaderFront before(TestNode node) {
        return before(node.port());
    }

    HeaderFront before(int port) {
        HeaderFront made = HeaderFront.before(port);
        front.set(made);
        return made;
    }

    static Config edited(Config config, UnaryOperator<Upstream.Builder> edit) {
        return config.copy()
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> edit.apply(upstream.toBuilder()).build());
    }

    static Config told(Config config, @Nullable NodeProxyProtocol version) {
        return edited(config, upstream -> upstream.proxyProtocol(version));
    }

    static String own(RawClient client) {
        return client.socket().getLocalAddress().getHostAddress() + ":"
                + client.socket().getLocalPort();
    }
}

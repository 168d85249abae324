package io.sigma.dataplane.http2;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.Pool;
import io.sigma.snapshot.ResourceType;
import java.nio.file.Path;

/** A gateway with nodes on HTTP/2 whose frames a test writes. */
abstract class NodeRulesContract extends EngineContract {

    static final int NO_ERROR = 0;

    /** One event loop, so that a connection is the only one. */
    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }

    void serve(FrameNode node) {
        serve(node, 1);
    }

    void serve(FrameNode node, int connectionsMax) {
        serve(node, Pool.builder().connectionsMax(connectionsMax).build());
    }

    void serve(FrameNode node, Pool pool) {
        gateway()
                .apply(forwarding(node.url())
                        .overHttp2()
                        .with(
                                ResourceType.UPSTREAM,
                                "nodes",
                                upstream -> upstream.toBuilder().pool(pool).build())
                        .patient("pass"));
    }

    static void answerAll(FrameNode.Head request, FrameNode.Connection connection) throws Exception {
        connection.ok(request.stream());
    }
}

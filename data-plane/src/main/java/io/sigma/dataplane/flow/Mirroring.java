package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.MirrorEvents;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.snapshot.MirrorRule;
import io.sigma.dataplane.snapshot.RuntimePass;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.Outcome;
import io.sigma.dataplane.upstream.UpstreamCluster;
import org.jspecify.annotations.Nullable;

/**
 * Copies of requests that go to another upstream, fire and forget. They count as requests of that upstream: its
 * balancing, limits and health apply. A copy that cannot be sent is dropped, and counted.
 */
final class Mirroring {

    private Mirroring() {}

    /** Sends a copy of the request if its proxy pass wants one; on the loop of the exchange, once its head is final. */
    static void start(ExchangeServices services, Exchange exchange, RuntimePass.ToUpstream pass, boolean upgrades) {
        MirrorRule rule = pass.mirror();
        if (rule == null || upgrades || !rule.takes()) {
            return;
        }
        UpstreamCluster cluster = rule.target().cluster();
        Loop loop = services.loops().get(exchange.loop());
        int index = loop.index();
        ErrorKind refusal =
                services.mirrors().tryBegin(index) ? cluster.admit(index, loop.nanos()) : ErrorKind.TOO_BUSY;
        NodeEndpoint node = refusal == null ? cluster.pick(exchange, null, loop.nanos()) : null;
        if (node == null) {
            rule.target().meters().count(index, refusal == null ? ErrorKind.NO_NODE : refusal);
            if (refusal != ErrorKind.TOO_BUSY) {
                services.mirrors().ended(index, 0);
            }
            return;
        }
        exchange.share();
        cluster.begun(index, node);
        services.engine()
                .mirror(
                        exchange,
                        NodeRequests.of(exchange, pass, node, pass.path().apply(exchange.path()), "", false, null),
                        rule.source().bodyBytesMax(),
                        rule.source().timeoutMillis(),
                        new Copy(services.mirrors(), rule, loop, cluster, node));
    }

    /** A copy that is under way. */
    private static final class Copy implements MirrorEvents {

        private final MirrorLimit limit;
        private final MirrorRule rule;
        private final Loop loop;
        private final UpstreamCluster cluster;
        private final NodeEndpoint node;
        private final long begunNanos;
        private long heldBytes;

        Copy(MirrorLimit limit, MirrorRule rule, Loop loop, UpstreamCluster cluster, NodeEndpoint node) {
            this.limit = limit;
            this.rule = rule;
            this.loop = loop;
            this.cluster = cluster;
            this.node = node;
            this.begunNanos = loop.nanos();
        }

        @Override
        public boolean tryHold(long bytes) {
            boolean may = limit.tryHold(loop.index(), bytes);
            heldBytes += may ? bytes : 0;
            return may;
        }

        @Override
        public void onEnd(int status, @Nullable GatewayError error) {
            int index = loop.index();
            limit.ended(index, heldBytes);
            rule.target().meters().count(index, error == null ? null : error.kind());
            long now = loop.nanos();
            cluster.ended(index, node, outcome(status, error), now - begunNanos, begunNanos, now);
        }
    }

    private static Outcome outcome(int status, @Nullable GatewayError error) {
        return error == null ? Outcome.of(status) : Outcome.of(error.kind());
    }
}

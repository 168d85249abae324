package io.sigma.dataplane;

import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.dataplane.link.RouteAnswers;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.dataplane.snapshot.SnapshotTrials;
import io.sigma.dataplane.tail.RequestTail;
import io.sigma.dataplane.trial.RouteTrial;
import io.sigma.dataplane.upstream.Member;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.model.GatewayConnectionList;
import io.sigma.model.RouteTest;
import io.sigma.model.RouteTestResult;
import io.sigma.snapshot.ConnectionQuestion;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import io.sigma.snapshot.RouteQuestion;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotBody;
import io.sigma.value.CertifiedKey;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Answers what becomes of requests and which came lately, off the event loops, and which connections are open.
 * Thread-safe.
 */
final class RouteTester implements RouteAnswers {

    private final ActiveSnapshot active;
    private final SnapshotTrials trials;
    private final Executor worker;
    private final OpenConnections open;
    private final BiFunction<TlsMaterial, String, List<CertifiedKey>> presented;
    private final GatewayDisk disk;
    private final RequestTail tail;

    /**
     * @param loops whose connections are listed
     * @param presented what the engine presents to a client that asks for a name, one for each type of key
     * @param disk has the files of certificates
     * @param tail has the last requests
     */
    RouteTester(
            ActiveSnapshot active,
            SnapshotTrials trials,
            Executor worker,
            List<Loop> loops,
            BiFunction<TlsMaterial, String, List<CertifiedKey>> presented,
            GatewayDisk disk,
            RequestTail tail) {
        this.open = new OpenConnections(loops);
        this.disk = disk;
        this.tail = tail;
        this.presented = presented;
        this.active = active;
        this.trials = trials;
        this.worker = worker;
    }

    @Override
    public Future<GatewayConnectionList> connections(ConnectionQuestion question) {
        return open.answer(question);
    }

    @Override
    public Future<RouteTestResult> answer(RouteQuestion question) {
        Promise<RouteTestResult> answer = Promise.promise();
        worker.execute(() -> {
            try {
                byte[] changes = question.changes();
                RuntimeSnapshot live = active.current();
                if (changes == null) {
                    answer.complete(trial(question, live, live.source().revision(), node -> node));
                } else {
                    changed(question, live.source(), changes).onComplete(answer);
                }
            } catch (Throwable e) {
                // Not RuntimeException alone: somebody waits for it, and filters may be code of others.
                answer.fail(e);
            }
        });
        return answer.future();
    }

    @Override
    public Future<RequestsAnswer> requests(RequestsQuestion question) {
        Promise<RequestsAnswer> answer = Promise.promise();
        worker.execute(() -> {
            try {
                answer.complete(tail.answer(question));
            } catch (Throwable e) {
                answer.fail(e);
            }
        });
        return answer.future();
    }

    private Future<RouteTestResult> changed(RouteQuestion question, Snapshot base, byte[] compressed) {
        if (base.revision() != question.baseRevision() || !base.hash().hex().equals(question.baseHash())) {
            return Future.failedFuture(new OtherBase(base.revision()));
        }
        SnapshotBody changes = SnapshotBody.decompress(compressed);
        // A revision of its own: what is tried has none, or an older one.
        Snapshot tried = base.advance(base.revision() + 1, changes.changes());
        Function<NodeEndpoint, NodeEndpoint> running = running();
        return trials.run(tried, compiled -> trial(question, compiled, question.revision(), running));
    }

    private RouteTestResult trial(
            RouteQuestion question,
            RuntimeSnapshot snapshot,
            long revision,
            Function<NodeEndpoint, NodeEndpoint> running) {
        RouteTest test = Objects.requireNonNull(question.test());
        return new RouteTrial(test, snapshot, question.gatewayId(), revision, running, presented, disk).run();
    }

    /** Returns what finds the node that runs; one that none runs for has no health yet. */
    private Function<NodeEndpoint, NodeEndpoint> running() {
        Map<NodeEndpoint.Key, NodeEndpoint> known = new HashMap<>();
        for (UpstreamCluster cluster : active.current().clusters()) {
            for (Member member : cluster.candidates()) {
                known.put(member.endpoint().key(), member.endpoint());
            }
        }
        return node -> known.getOrDefault(node.key(), node);
    }
}

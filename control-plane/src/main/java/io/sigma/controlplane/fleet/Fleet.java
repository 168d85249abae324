package io.sigma.controlplane.fleet;

import io.sigma.controlplane.store.database.Page;
import io.sigma.controlplane.store.vote.Ballot;
import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayAck;
import io.sigma.model.GatewayAnswer;
import io.sigma.model.NodeChange;
import io.sigma.model.NodeStanding;
import io.sigma.model.NodeTransition;
import io.sigma.model.NodeView;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import io.sigma.snapshot.RouteAnswer;
import io.sigma.snapshot.RouteQuestion;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All gateways of the installation, whichever control plane they hang on. Thread-safe. */
public interface Fleet {

    /** On which control planes hear that there is news of gateways; the payload is the one that knows it already. */
    String GATEWAYS_CHANNEL = "sigma_gateway";

    /**
     * Returns what each live gateway said to {@code revision}, ordered by id; completes when all have answered or after
     * {@code timeout}, then with PENDING for those that have not. At once with an empty list when no gateway is live.
     */
    default Future<List<GatewayAnswer>> answers(long revision, Duration timeout) {
        return answers(revision, Extent.ALL, timeout);
    }

    /**
     * As {@link #answers(long, Duration)}; with {@link Extent#QUORUM} completes as soon as that is reached or cannot
     * be.
     */
    Future<List<GatewayAnswer>> answers(long revision, Extent extent, Duration timeout);

    /**
     * Returns what gateways that are lost, and did not say that they stop, last said to {@code revision}. Nobody waits
     * for them, but who believes that all gateways have a revision must not be wrong about these.
     */
    default List<GatewayAnswer> silent(long revision) {
        return List.of();
    }

    /**
     * Returns what each gateway said to a recent revision, ordered by id: those that are live, and those that answered.
     *
     * @param committedAt when the revision was committed
     */
    default Future<List<GatewayAck>> acks(long revision, Instant committedAt) {
        return Future.succeededFuture(List.of());
    }

    /** Returns the newest revision with the live gateways that refuse it, from memory; empty when none does. */
    default Optional<RefusedRevision> refused() {
        return Optional.empty();
    }

    /** Returns what asks the live gateways about a write before it commits. */
    default Ballot ballot() {
        return Ballot.NONE;
    }

    /** Returns every known gateway, ordered by id, from memory. */
    List<Gateway> gateways();

    /** Returns one gateway, from memory. */
    Optional<Gateway> gateway(String id);

    /** Calls {@code listener} with each gateway whose revision or state has changed; it must not block. */
    void onChange(Consumer<Gateway> listener);

    /**
     * Returns, by node in the form of {@link io.sigma.value.NodeUrl#text()}, what gateways hold of it, in their order.
     */
    default Future<Map<String, List<NodeView>>> nodeViews(String upstreamId) {
        return Future.succeededFuture(Map.of());
    }

    /**
     * Returns the states of nodes over all gateways, in the order of upstream and URL, the URL in the form of
     * {@link io.sigma.value.NodeUrl#text()}.
     *
     * @param upstreamIds whose nodes; null for the nodes of all upstreams that a gateway holds to be ejected or
     *     unhealthy
     * @param live the gateways that count
     * @param limit how many nodes at most
     */
    default Future<List<NodeStanding>> standings(
            @Nullable Collection<String> upstreamIds, Collection<String> live, int limit) {
        return Future.succeededFuture(List.of());
    }

    /**
     * Returns the last changes of the nodes of an upstream, the last one first.
     *
     * @param before the cursor of the page before; {@link Long#MAX_VALUE} for the first page
     * @param url in the form of {@link io.sigma.value.NodeUrl#text()}; null for all nodes
     * @param gatewayId null for all gateways
     */
    default Future<Page<Long, NodeTransition>> nodeHistory(
            String upstreamId, long before, @Nullable String url, @Nullable String gatewayId, int limit) {
        return Future.succeededFuture(new Page<>(List.of(), null));
    }

    /**
     * Calls {@code listener} with each change of a node that a gateway of this control plane tells of; it must not
     * block.
     */
    default void onNodeChange(Consumer<NodeChange> listener) {
        // An installation without gateways hears of none.
    }

    /**
     * Asks the gateway that {@code question} names, whichever control plane it hangs on.
     *
     * @return fails when it does not answer in time
     */
    default Future<RouteAnswer> ask(RouteQuestion question, Duration timeout) {
        return Future.failedFuture("there are no gateways");
    }

    /**
     * Asks the gateway that {@code question} names for its last requests, whichever control plane it hangs on. What it
     * says is not checked.
     *
     * @return fails when it does not answer in time
     */
    default Future<RequestsAnswer> ask(RequestsQuestion question, Duration timeout) {
        return Future.failedFuture("there are no gateways");
    }

    /** Returns what came to the gateways; null where there are none. */
    default @Nullable TrafficLog traffic() {
        return null;
    }

    /** Returns the port for gateways outside this process; empty where there is none. */
    default Optional<Integer> clusterPort() {
        return Optional.empty();
    }

    /** Completes when nothing of it runs any more. */
    Future<Void> close();
}

package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.ForwardEvents;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.snapshot.PassTarget;
import io.sigma.dataplane.snapshot.RetryRule;
import io.sigma.dataplane.snapshot.RuntimePass;
import io.sigma.dataplane.snapshot.TrafficSplit;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.Outcome;
import io.sigma.dataplane.upstream.RetryBudget;
import io.sigma.model.RetryCondition;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request on its way to the nodes of an upstream: the choice of a node, retries after a failure, and the deadline of
 * the whole. Confined to the event loop of the exchange.
 */
public final class Forwarding extends Deadlines.Entry implements ForwardEvents {

    private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);

    /** Receives the outcome of the request. Exactly one method is called, once. */
    interface Owner {

        /** A node answered; the body is held back until the answer is relayed. */
        void onAnswer(ResponseHead head);

        /** A node switches protocols; nothing is passed on yet. */
        void onSwitch(ResponseHead head);

        /** No node answered, or the time is over; the latter also after one of the others. */
        void onFailure(GatewayError error);
    }

    private final ExchangeServices services;
    private final Exchange exchange;
    private final Owner owner;
    private final Loop loop;

    private RuntimePass.@Nullable ToUpstream currentPass;
    private @Nullable PassTarget currentTarget;
    private @Nullable String setCookie;
    private String path = "";
    private String upgrade = "";
    private @Nullable Forward lastForward;

    private @Nullable NodeEndpoint node;
    private @Nullable Set<NodeEndpoint> tried;
    private int attempts;
    private boolean assigned;
    private boolean repeating;
    private boolean answered;
    private int answeredStatus;
    /** True if the node answered with a failure because the client sent its request slowly. */
    private boolean blameless;

    private long assignedNanos;
    private long answeredNanos;
    private boolean tunnel;
    private boolean over;

    Forwarding(ExchangeServices services, Exchange exchange, Owner owner) {
        this.services = services;
        this.exchange = exchange;
        this.owner = owner;
        this.loop = services.loops().get(exchange.loop());
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0 ? attempts + (currentPass == null ? 1 : 0) : 0;
    }

    /**
     * Chooses the upstream; {@link #start} follows. To be called again for another request, when the one before is
     * over.
     *
     * @param wanted the protocol that the client wants to switch to, null when it does not
     */
    @SuppressWarnings("ReferenceEquality") // An equal one of another snapshot is another one.
    void prepare(RuntimePass.ToUpstream chosen, @Nullable String wanted) {
        if (chosen != currentPass) {
            currentPass = chosen;
            lastForward = null;
        }
        TrafficSplit.Choice choice = chosen.split().choose(exchange);
        currentTarget = choice.target();
        setCookie = choice.setCookie();
        path = chosen.path().apply(exchange.path());
        upgrade = wanted == null ? "" : wanted;
        node = null;
        tried = null;
        attempts = 0;
        assigned = false;
        repeating = false;
        answered = false;
        blameless = false;
        over = false;
    }

    void start() {
        long limit = Math.min(pass().totalMillis(), exchange.limitMillis());
        if (limit != Exchange.NO_LIMIT && upgrade.isEmpty()) {
            long spent = (loop.nanos() - exchange.startNanos()) / 1_000_000;
            loop.exchangeDeadlines().set(this, Math.max(1, limit - spent));
        }
        ErrorKind refusal = target().cluster().admit(exchange.loop(), loop.nanos());
        if (refusal == null) {
            attempt(null);
        } else {
            target().meters().refused(exchange.loop(), refusal);
            fail(GatewayError.unsent(refusal, null));
        }
    }

    /** Ends with the exchange. From now on nothing is tried and nothing is reported. */
    void close() {
        over = true;
        loop.exchangeDeadlines().remove(this);
        GatewayError error = exchange.error();
        if (error != null) {
            unassign(Outcome.of(error));
        } else {
            unassign(answered && !blameless ? Outcome.of(exchange.status()) : Outcome.CANCELLED);
        }
        if (node != null) {
            target().meters().bytes(exchange.loop(), exchange.bytesIn(), exchange.bytesOut());
        }
        if (tunnel) {
            tunnel = false;
            target().cluster().tunnels(exchange.loop(), -1);
        }
        if (repeating) {
            target().cluster().retryBudget().retryEnded(exchange.loop());
        }
    }

    /** An answer was given. From now on no node is asked. */
    void stop() {
        over = true;
    }

    /** Returns the upstream that was chosen. */
    PassTarget target() {
        return Objects.requireNonNull(currentTarget);
    }

    private RuntimePass.ToUpstream pass() {
        return Objects.requireNonNull(currentPass);
    }

    /** Returns the cookie that makes the choice of the upstream last; null when it needs none. */
    @Nullable
    String setCookie() {
        return setCookie;
    }

    /** Returns the node that was chosen last; null when none was. */
    @Nullable
    NodeEndpoint node() {
        return node;
    }

    /**
     * @param last why the try before failed; null at the first one
     */
    private void attempt(@Nullable GatewayError last) {
        NodeEndpoint next = attempts < pass().retry().attemptsMax() ? pick(last) : null;
        if (next == null) {
            fail(last != null ? last : GatewayError.unsent(ErrorKind.NO_NODE, null));
            return;
        }
        attempts++;
        exchange.attempts(attempts);
        assign(next);
        boolean replayable =
                upgrade.isEmpty() && pass().retry().mayRepeat(exchange.request().method());
        if (attempts > 1) {
            exchange.share();
        }
        Forward forward = NodeRequests.of(exchange, pass(), next, path, upgrade, replayable, lastForward);
        lastForward = forward;
        services.engine().call(exchange, forward, this);
    }

    private void assign(NodeEndpoint next) {
        node = next;
        assigned = true;
        answered = false;
        assignedNanos = loop.nanos();
        target().cluster().begun(exchange.loop(), next);
    }

    /** Tells the upstream, once for each assignment, how it ended. */
    private void unassign(Outcome outcome) {
        if (assigned) {
            assigned = false;
            long now = loop.nanos();
            long taken = (answered ? answeredNanos : now) - assignedNanos;
            target().cluster().ended(exchange.loop(), Objects.requireNonNull(node), outcome, taken, assignedNanos, now);
            target().meters().ended(exchange.loop(), answered ? answeredStatus : 0, taken);
        }
    }

    /** Returns the node to try next: one that was not tried, or any again when it could at least be reached. */
    private @Nullable NodeEndpoint pick(@Nullable GatewayError last) {
        NodeEndpoint own = last == null ? services.engine().ownNode(exchange) : null;
        if (own != null && target().cluster().nodes().contains(own)) {
            return own;
        }
        NodeEndpoint fresh = target().cluster().pick(exchange, tried, loop.nanos());
        boolean reachable = last != null && !last.retryable();
        return fresh == null && reachable ? target().cluster().pick(exchange, null, loop.nanos()) : fresh;
    }

    @Override
    public void onUnsent(GatewayError error) {
        count(error);
        unassign(Outcome.of(error));
        boolean again = error.kind() != ErrorKind.QUEUE_FULL
                && pass().retry().conditions().contains(RetryCondition.CONNECT_FAILURE);
        if (again) {
            retryNow(error);
        } else {
            fail(error);
        }
    }

    @Override
    public void onFailed(GatewayError error) {
        count(error);
        unassign(Outcome.of(error));
        // A node that answers with something else than HTTP will do so again.
        boolean again = switch (error.kind()) {
            case RESPONSE_TIMEOUT -> mayRetry(RetryCondition.TIMEOUT);
            case UPSTREAM_RESET -> mayRetry(RetryCondition.RESET);
            default -> false;
        };
        if (again) {
            retryLater(error);
        } else {
            fail(error);
        }
    }

    @Override
    public void onResponse(ResponseHead head) {
        answered(head);
        if (pass().retry().repeatsAfter(head.status()) && mayRetry(RetryCondition.STATUS)) {
            services.engine().cancel(exchange);
            unassign(blameless ? Outcome.CANCELLED : Outcome.of(head.status()));
            retryLater(GatewayError.upstream(ErrorKind.BAD_RESPONSE, null));
        } else if (!over) {
            owner.onAnswer(head);
        }
    }

    @Override
    public void onSwitching(ResponseHead head) {
        answered(head);
        if (!over) {
            tunnel = true;
            target().cluster().tunnels(exchange.loop(), 1);
            owner.onSwitch(head);
        }
    }

    private void answered(ResponseHead head) {
        count(null);
        answered = true;
        answeredStatus = head.status();
        blameless = Outcome.of(head.status()).isFailure() && services.engine().isClientBehind(exchange);
        answeredNanos = loop.nanos();
    }

    /** Returns whether a request that was sent in part may be sent again. The budget is asked last, and charged. */
    private boolean mayRetry(RetryCondition condition) {
        RetryRule rule = pass().retry();
        return !over
                && rule.conditions().contains(condition)
                && attempts < rule.attemptsMax()
                && rule.mayRepeat(exchange.request().method())
                && upgrade.isEmpty()
                && services.engine().isReplayable(exchange)
                && charge();
    }

    /** Takes a further try out of the budget of the upstream; an exchange holds at most one in progress. */
    private boolean charge() {
        RetryBudget budget = target().cluster().retryBudget();
        boolean granted = budget.tryRetry(exchange.loop());
        if (granted && repeating) {
            budget.retryEnded(exchange.loop());
        }
        repeating |= granted;
        if (!granted) {
            target().meters().retryRefused(exchange.loop());
        }
        return granted;
    }

    private void retryNow(GatewayError error) {
        if (over) {
            return;
        }
        if (tried == null) {
            tried = new HashSet<>();
        }
        tried.add(Objects.requireNonNull(node));
        if (attempts < pass().retry().attemptsMax()) {
            target().meters().retried(exchange.loop());
        }
        attempt(error);
    }

    private void retryLater(GatewayError error) {
        long bound = pass().retry().backoffMillis(attempts + 1);
        long pause = bound <= 0 ? 0 : ThreadLocalRandom.current().nextLong(bound + 1);
        if (pause == 0) {
            retryNow(error);
        } else {
            loop.scheduler().schedule(() -> retryNow(error), pause);
        }
    }

    private void count(@Nullable GatewayError error) {
        target().meters().count(exchange.loop(), error == null ? null : error.kind());
        if (error != null && node != null) {
            LOG.debug("{}: {}", node.name(), error.kind().label(), error.cause());
        }
    }

    private void fail(GatewayError error) {
        if (!over) {
            owner.onFailure(error);
        }
    }

    @Override
    protected void onDeadline() {
        if (!over) {
            stop();
            services.engine().cancel(exchange);
            owner.onFailure(GatewayError.upstream(ErrorKind.TOTAL_TIMEOUT, null));
        }
    }

    @Override
    protected void onDeadlineFailed() {
        exchange.downstream().abort();
    }
}

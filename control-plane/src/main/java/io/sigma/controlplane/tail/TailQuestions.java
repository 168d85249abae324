package io.sigma.controlplane.tail;

import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.reported.FairShare;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayState;
import io.sigma.model.LastRequest;
import io.sigma.model.LastRequests;
import io.sigma.model.MissingRequests;
import io.sigma.model.MissingRequestsReason;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Asks gateways for their last requests, so many at a time, and bounds what they say. Thread-safe. */
public final class TailQuestions {

    /** Questions that wait for an answer; a further one fails. Those about routes keep room beside them. */
    static final int UNDER_WAY_MAX = 40;

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Fleet fleet;
    private final InstantSource clock;
    private final AtomicInteger underWay = new AtomicInteger();

    /**
     * A gateway's answer.
     *
     * @param items newest first
     * @param matched how many requests it counted for the filter so far
     * @param next where to go on; null for from the start
     */
    record Said(
            List<LastRequest> items, long matched, @Nullable String next, boolean busy) {}

    public TailQuestions(Fleet fleet, InstantSource clock) {
        this.fleet = fleet;
        this.clock = clock;
    }

    /** Returns the ids of the gateways that can be asked. */
    List<String> gateways(@Nullable String wanted) {
        return fleet.gateways().stream()
                .filter(gateway -> gateway.state() != GatewayState.LOST)
                .map(Gateway::id)
                .filter(id -> wanted == null || wanted.equals(id))
                .toList();
    }

    boolean hasRoom() {
        return underWay.get() < UNDER_WAY_MAX;
    }

    /**
     * Asks one gateway.
     *
     * @param watch whether it is to keep more from now on
     * @param after {@link Said#next()} of the answer before; null for the first question
     * @return fails when there is no room, or no answer in time
     */
    Future<Said> ask(TailKey key, String gatewayId, boolean watch, @Nullable String after, int limit) {
        if (underWay.incrementAndGet() > UNDER_WAY_MAX) {
            underWay.decrementAndGet();
            return Future.failedFuture("too many gateways are asked already");
        }
        RequestsQuestion question =
                new RequestsQuestion(UUID.randomUUID().toString(), gatewayId, key.filter(), watch, after, limit);
        return Future.succeededFuture()
                .compose(begun -> fleet.ask(question, PATIENCE))
                .map(answer -> said(answer, gatewayId, limit))
                .onComplete(done -> underWay.decrementAndGet());
    }

    private Said said(RequestsAnswer answer, String gatewayId, int limit) {
        return new Said(
                BoundedAnswer.items(answer, gatewayId, limit, clock.instant()),
                Math.max(0, answer.matched()),
                BoundedAnswer.next(answer),
                answer.busy());
    }

    /** Asks all gateways that {@code key} means once; completes when each has answered or cannot. */
    public Future<LastRequests> list(TailKey key, int limit) {
        List<MissingRequests> missing = new ArrayList<>();
        List<Future<Said>> asked = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (String id : gateways(key.gatewayId())) {
            if (hasRoom()) {
                ids.add(id);
                asked.add(ask(key, id, false, null, limit));
            } else {
                missing.add(new MissingRequests(id, MissingRequestsReason.NOT_ASKED));
            }
        }
        return Future.join(asked).transform(done -> {
            List<List<LastRequest>> said = new ArrayList<>();
            for (int i = 0; i < asked.size(); i++) {
                if (asked.get(i).succeeded()) {
                    said.add(asked.get(i).result().items());
                } else {
                    missing.add(new MissingRequests(ids.get(i), MissingRequestsReason.SILENT));
                }
            }
            return Future.succeededFuture(new LastRequests(shared(said, limit), 0L, missing));
        });
    }

    /**
     * Returns the newest of what each gateway said, so many that one that says much leaves its share to each other one.
     *
     * @param said of each gateway, newest first
     * @return {@code limit} at most, newest first
     */
    static List<LastRequest> shared(List<List<LastRequest>> said, int limit) {
        long share =
                FairShare.of(said.stream().map(items -> (long) items.size()).toList(), limit);
        return said.stream()
                .flatMap(items -> items.stream().limit(share))
                .sorted(Comparator.comparing(LastRequest::at).reversed())
                .toList();
    }
}

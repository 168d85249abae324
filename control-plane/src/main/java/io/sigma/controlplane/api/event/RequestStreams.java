package io.sigma.controlplane.api.event;

import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.tail.FilteredTail;
import io.sigma.controlplane.tail.TailKey;
import io.sigma.controlplane.tail.TailQuestions;
import io.sigma.controlplane.tail.TailView;
import io.sigma.controlplane.tail.Tenures;
import io.sigma.model.LastRequests;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The streams of requests, as server-sent events. Clients with equal filters share one tail, and a tail without clients
 * ends, so gateways are asked for nothing that nobody watches. Confined to the server's verticle.
 */
public final class RequestStreams {

    static final int STREAMS_MAX = 32;
    static final int STREAMS_OF_ACCOUNT_MAX = 8;

    private static final long TICK_MILLIS = 250;
    private static final int TICKS_OF_BEAT = 60;

    private final Context context;
    private final TailQuestions questions;
    private final Tenures tenures;
    private final Map<TailKey, Watched> watched = new HashMap<>();
    private int ticks;

    /** A filter, and who watches. */
    private static final class Watched {
        private final Set<RequestClient> clients = new LinkedHashSet<>();
        private final FilteredTail tail;

        Watched(TailKey key, TailQuestions questions, Context context) {
            tail = new FilteredTail(key, questions, task -> context.runOnContext(nothing -> task.run()), this::tell);
        }

        private void tell(LastRequests requests) {
            // A client that has received nothing yet gets the whole list.
            List.copyOf(clients).forEach(client -> client.offer(client.isGreeted() ? requests : tail.known()));
        }

        /** A client hears soon that it is connected to something, also when there is nothing to tell. */
        void tick() {
            tail.tick();
            if (tail.isSettled()) {
                clients.stream().filter(client -> !client.isGreeted()).forEach(client -> client.offer(tail.known()));
            }
        }
    }

    /**
     * Begins; called on the server's context.
     *
     * @param tenures since when each route carries its labels
     */
    public RequestStreams(Vertx vertx, Fleet fleet, Tenures tenures) {
        this.context = vertx.getOrCreateContext();
        this.questions = new TailQuestions(fleet, InstantSource.system());
        this.tenures = tenures;
        vertx.setPeriodic(TICK_MILLIS, timer -> tick());
    }

    /** Opens a stream of what the parameters say. */
    public void open(RoutingContext request, Map<String, String> parameters) {
        Principal principal = Objects.requireNonNull(request.get(ApiNames.PRINCIPAL));
        requireRoom(principal.name());
        HttpServerResponse response = request.response();
        RequestClient client = new RequestClient(principal.name(), response, TailView.of(principal, tenures));
        TailKey key = TailKey.of(parameters);
        Watched one = watched.computeIfAbsent(key, added -> new Watched(key, questions, context));
        one.clients.add(client);
        response.closeHandler(closed -> gone(key, client));
        response.exceptionHandler(e -> gone(key, client));
        if (response.closed()) {
            // It hung up while its credentials were looked at, and no handler is called for that any more.
            gone(key, client);
            return;
        }
        client.start();
        one.tick();
    }

    private void requireRoom(String who) {
        List<RequestClient> all =
                watched.values().stream().flatMap(one -> one.clients.stream()).toList();
        if (all.size() >= STREAMS_MAX) {
            throw new FailureException(
                    new Failure.Unavailable("There are " + STREAMS_MAX + " streams of requests already."));
        }
        long own = all.stream().filter(client -> client.who().equals(who)).count();
        if (own >= STREAMS_OF_ACCOUNT_MAX) {
            throw new FailureException(new Failure.Unavailable(
                    "There are " + STREAMS_OF_ACCOUNT_MAX + " streams of requests of " + who + " already."));
        }
    }

    private void gone(TailKey key, RequestClient client) {
        Watched one = watched.get(key);
        if (one != null) {
            one.clients.remove(client);
            if (one.clients.isEmpty()) {
                watched.remove(key);
            }
        }
    }

    private void tick() {
        boolean beats = ++ticks % TICKS_OF_BEAT == 0;
        Map.copyOf(watched).forEach((key, one) -> {
            one.tick();
            if (beats) {
                List.copyOf(one.clients).forEach(client -> {
                    if (client.isClosed()) {
                        gone(key, client);
                    } else {
                        client.beat();
                    }
                });
            }
        });
    }

    /** Ends every stream. */
    public void close() {
        Map.copyOf(watched).values().forEach(one -> List.copyOf(one.clients).forEach(RequestClient::end));
        watched.clear();
    }
}

package io.sigma.controlplane.api.event;

import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.events.Event;
import io.sigma.controlplane.events.EventLog;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.store.history.RevisionReader;
import io.sigma.controlplane.traffic.TrafficCells;
import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.json.Json;
import io.sigma.model.Gateway;
import io.sigma.model.Revision;
import io.sigma.model.TrafficPoint;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream of server-sent events (HTML standard §9.2). A client that comes back with the id of the last event that it
 * heard, to any control plane, goes on from there; when that is too long ago it is told so, and then the present state.
 * Confined to the server's verticle.
 */
public final class Events {

    private static final Logger LOG = LoggerFactory.getLogger(Events.class);

    public static final String LAST_EVENT_ID = "Last-Event-ID";

    private static final long HEARTBEAT_MILLIS = 15_000;
    private static final long REFRESH_MILLIS = 2_000;

    /**
     * The time until changes of gateways are sure to have reached this control plane. Newer events are sent after it.
     */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private static final int STATE_CHARS_MAX = 32 * 1024;

    private final Context context;
    private final RevisionReader revisions;
    private final Fleet fleet;
    private final EventLog log;
    private final int clientsMax;
    /** The oldest comes first. */
    private final Set<EventClient> clients = new LinkedHashSet<>();

    // Confined to the context.
    private final DueSlots slots = new DueSlots();
    private boolean asking;

    /** Begins to listen; called on the server's context. */
    public Events(Vertx vertx, RevisionReader revisions, Fleet fleet, EventLog log, int clientsMax) {
        this.context = vertx.getOrCreateContext();
        this.revisions = revisions;
        this.fleet = fleet;
        this.log = log;
        this.clientsMax = clientsMax;
        log.onNews(() -> context.runOnContext(nothing -> List.copyOf(clients).forEach(EventClient::tell)));
        vertx.setPeriodic(HEARTBEAT_MILLIS, timer -> List.copyOf(clients).forEach(this::beat));
        vertx.setPeriodic(TrafficLog.FINE_SECONDS * 1000L, timer -> rates());
    }

    /** Opens a stream. Waits for the database. */
    public void open(RoutingContext request, @Nullable String lastEventId) {
        Principal principal = request.get(ApiNames.PRINCIPAL);
        String who = principal == null ? "" : principal.name();
        if (clients.size() >= clientsMax && !makeRoom(who)) {
            throw new FailureException(new Failure.Unavailable(
                    "There are " + clientsMax + " clients of the event stream already (eventClientsMax)."));
        }
        HttpServerResponse response = request.response();
        EventClient client = new EventClient(who, response, log, lost -> context.runOnContext(nothing -> afresh(lost)));
        clients.add(client);
        response.closeHandler(closed -> gone(client));
        response.exceptionHandler(e -> gone(client));
        if (response.closed()) {
            // It hung up while its credentials were looked at, and no handler is called for that any more.
            gone(client);
            return;
        }
        try {
            Optional<EventLog.Place> place = lastEventId == null ? Optional.empty() : place(lastEventId);
            if (place.isPresent()) {
                client.start();
                client.follow(place.get(), 0, 0);
            } else {
                state(client, lastEventId != null);
            }
        } catch (RuntimeException | Error e) {
            clients.remove(client);
            throw e;
        }
    }

    /**
     * Ends the oldest stream of the account with the most, so that one account keeps out nobody else.
     *
     * @return false when {@code who} would then have as many
     */
    private boolean makeRoom(String who) {
        Map<String, List<EventClient>> byAccount = clients.stream().collect(Collectors.groupingBy(EventClient::who));
        List<EventClient> most = byAccount.values().stream()
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
        if (byAccount.getOrDefault(who, List.of()).size() + 1 >= most.size()) {
            return false;
        }
        EventClient oldest = most.getFirst();
        gone(oldest);
        oldest.reset();
        return true;
    }

    private void beat(EventClient client) {
        if (client.isClosed()) {
            gone(client);
        } else {
            client.beat();
        }
    }

    private void gone(EventClient client) {
        clients.remove(client);
        client.gone();
    }

    private void afresh(EventClient client) {
        try {
            state(client, true);
        } catch (FailureException e) {
            client.reset();
        } catch (RuntimeException | Error e) {
            // It was told a part, and would hear of nothing but heartbeats. A new stream begins with the whole.
            LOG.error("The state cannot be sent to a client of the event stream. Its connection is closed", e);
            client.reset();
        }
    }

    /** Returns the place of an event in the log; it may be one that this control plane does not know yet. */
    private Optional<EventLog.Place> place(String id) {
        Optional<EventLog.Place> known = log.find(id);
        if (known.isPresent()) {
            return known;
        }
        try {
            log.refresh().timeout(REFRESH_MILLIS, TimeUnit.MILLISECONDS).await();
        } catch (Exception e) {
            // Without the database nobody knows what was missed.
            return Optional.empty();
        }
        return log.find(id);
    }

    /**
     * Tells a client the present state, and from then on what happens.
     *
     * @param reset whether it has heard of an earlier one
     */
    private void state(EventClient client, boolean reset) {
        List<Revision> revision = revisions.page(Long.MAX_VALUE, 1).items();
        // Before gateways are looked at, so that no change falls in between.
        EventLog.Place place = log.settled(MARGIN);
        EventLog.Place newest = log.newest();
        client.start();
        StringBuilder text = new StringBuilder();
        if (reset) {
            text.append(EventClient.text(null, Event.RESET, "{}"));
        }
        revision.forEach(one -> text.append(EventClient.text(null, Event.REVISION, Json.text(one))));
        for (Gateway gateway : fleet.gateways()) {
            text.append(EventClient.text(null, "gateway", Json.text(gateway)));
            if (text.length() > STATE_CHARS_MAX) {
                if (!client.send(text.toString())) {
                    return;
                }
                text.setLength(0);
            }
        }
        text.append(EventClient.text(log.id(place), "ready", "{}"));
        if (client.send(text.toString())) {
            client.follow(place, revision.isEmpty() ? 0 : revision.getFirst().number(), newest.number());
        }
    }

    private void rates() {
        TrafficLog traffic = fleet.traffic();
        if (clients.isEmpty() || traffic == null || asking) {
            return;
        }
        DueSlots.Span due = slots.at(Instant.now().getEpochSecond());
        if (due.isEmpty()) {
            return;
        }
        asking = true;
        traffic.series(
                        TrafficLog.FINE_SECONDS,
                        TrafficLog.ALL,
                        "",
                        Instant.ofEpochSecond(due.from()),
                        Instant.ofEpochSecond(due.to()))
                .onComplete(done -> context.runOnContext(nothing -> {
                    asking = false;
                    if (done.succeeded()) {
                        slots.told(due);
                        // A slot that nobody reported is not told: that is a gap, and not nothing.
                        done.result().forEach(this::tell);
                    }
                }));
    }

    private void tell(Instant slot, TrafficCells cells) {
        TrafficPoint point = new TrafficPoint(slot, cells.figures(TrafficLog.FINE_SECONDS));
        String text = EventClient.text(null, "rates", Json.text(point));
        List.copyOf(clients).forEach(client -> client.offer(text));
    }

    /** Ends every stream. */
    public void close() {
        List.copyOf(clients).forEach(EventClient::end);
        clients.clear();
    }
}

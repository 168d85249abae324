package io.sigma.controlplane.api;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.store.RevisionFollower;
import io.sigma.controlplane.store.RevisionReader;
import io.sigma.json.Json;
import io.sigma.model.Revision;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The stream of server-sent events (HTML standard §9.2). A client that does not keep up is dropped: it connects again and
 * is told the present state, so nothing is buffered for it. Confined to the server's verticle.
 */
final class Events {

    private static final long HEARTBEAT_MILLIS = 15_000;
    private static final int CLIENT_BYTES_MAX = 256 * 1024;
    private static final String HEARTBEAT = ": heartbeat\n\n";

    private final Context context;
    private final RevisionReader revisions;
    private final Fleet fleet;
    private final int clientsMax;
    private final Set<HttpServerResponse> clients = new HashSet<>();

    /** Begins to listen; called on the server's context. */
    Events(Vertx vertx, RevisionReader revisions, RevisionFollower log, Fleet fleet, int clientsMax) {
        this.context = vertx.getOrCreateContext();
        this.revisions = revisions;
        this.fleet = fleet;
        this.clientsMax = clientsMax;
        log.onRevision(revision -> later("revision", revision));
        fleet.onChange(gateway -> later("gateway", gateway));
        fleet.onNodeChange(change -> later("node", change));
        vertx.setPeriodic(HEARTBEAT_MILLIS, timer -> broadcast(HEARTBEAT));
    }

    private void later(String name, Object value) {
        context.runOnContext(any -> {
            if (!clients.isEmpty()) {
                broadcast(event(name, value));
            }
        });
    }

    /** Opens a stream. Waits for the database, for the current revision. */
    void open(RoutingContext request) {
        if (clients.size() >= clientsMax) {
            throw new FailureException(new Failure.Unavailable(
                    "There are " + clientsMax + " clients of the event stream already (eventClientsMax)."));
        }
        HttpServerResponse response = request.response();
        // In the set before the state is read, so that no change falls in between.
        clients.add(response);
        response.closeHandler(closed -> clients.remove(response));
        response.exceptionHandler(e -> clients.remove(response));
        List<Revision> newest;
        try {
            newest = revisions.page(Long.MAX_VALUE, 1).items();
        } catch (FailureException e) {
            clients.remove(response);
            throw e;
        }
        start(response);
        newest.forEach(revision -> send(response, event("revision", revision)));
        fleet.gateways().forEach(gateway -> send(response, event("gateway", gateway)));
    }

    /** Sends the head at once, so that the client knows that it is connected even when there is nothing to tell. */
    private static void start(HttpServerResponse response) {
        if (!response.headWritten()) {
            response.setChunked(true)
                    .setWriteQueueMaxSize(CLIENT_BYTES_MAX)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                    .write(HEARTBEAT);
        }
    }

    private void broadcast(String text) {
        for (HttpServerResponse response : List.copyOf(clients)) {
            start(response);
            send(response, text);
        }
    }

    private void send(HttpServerResponse response, String text) {
        if (response.closed()) {
            clients.remove(response);
        } else if (response.writeQueueFull()) {
            clients.remove(response);
            response.reset();
        } else {
            response.write(text);
        }
    }

    private static String event(String name, Object value) {
        return "event: " + name + "\ndata: " + Json.text(value) + "\n\n";
    }

    /** Ends every stream. */
    void close() {
        List.copyOf(clients).forEach(HttpServerResponse::end);
        clients.clear();
    }
}

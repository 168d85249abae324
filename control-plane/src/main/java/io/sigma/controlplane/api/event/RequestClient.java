package io.sigma.controlplane.api.event;

import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.tail.TailView;
import io.sigma.json.Json;
import io.sigma.model.LastRequests;
import io.vertx.core.http.HttpServerResponse;

/**
 * A client of a stream of requests. What it has no room for is not told later. Confined to the server's verticle.
 */
final class RequestClient {

    private final String who;
    private final SseResponse response;
    private final TailView view;
    private boolean greeted;

    /** @param who the name of its principal */
    RequestClient(String who, HttpServerResponse response, TailView view) {
        this.who = who;
        this.response = new SseResponse(response);
        this.view = view;
    }

    /** Returns the name of its principal. */
    String who() {
        return who;
    }

    void start() {
        response.start(() -> {});
    }

    /** Returns whether it was told anything. */
    boolean isGreeted() {
        return greeted;
    }

    /** Tells it of requests if there is room. */
    void offer(LastRequests requests) {
        if (response.isClosed() || response.isFull()) {
            return;
        }
        LastRequests seen;
        try {
            seen = view.of(requests);
        } catch (FailureException e) {
            // Nobody knows whose they are.
            return;
        }
        boolean news =
                !seen.items().isEmpty() || seen.matched() > 0 || !seen.missing().isEmpty();
        if (news || !greeted) {
            greeted = true;
            response.write(EventClient.text(null, "requests", Json.text(seen)));
        }
    }

    boolean isClosed() {
        return response.isClosed();
    }

    void beat() {
        response.beat();
    }

    void end() {
        response.end();
    }
}

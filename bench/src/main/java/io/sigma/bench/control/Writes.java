package io.sigma.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Changes of one route at a time, each of another host, and how long they take. Thread-safe. */
final class Writes {

    private final Site site;
    private final int hosts;
    private final int gateways;
    private final Times toCommit = new Times();
    private final Times toAcknowledged = new Times();
    private final Times whole = new Times();

    /** @param gateways the gateways that must acknowledge each write */
    Writes(Site site, int routes, int gateways) {
        this.site = site;
        this.hosts = routes / State.ROUTES_A_HOST;
        this.gateways = gateways;
    }

    /**
     * Changes a route and waits for the gateways.
     *
     * @param round another one for each write
     */
    void write(AdminClient admin, int round) throws Exception {
        // The first host is left to traffic.
        int host = 1 + round % (hosts - 1);
        int route = host * State.ROUTES_A_HOST + round / hosts % State.ROUTES_A_HOST;
        AdminClient.Reply reply = admin.send(
                        "PATCH", "/routes/" + State.route(route) + "?wait=all&timeout=30s", State.patch(route, round))
                .ok();
        JsonNode revision = reply.json().path("revision");
        if (!revision.path("complete").asBoolean() || revision.path("gateways").size() != gateways) {
            throw new IllegalStateException("not acknowledged by " + gateways + " gateways: " + revision);
        }
        long committed = site.commits().nanosOf(revision.path("number").asLong());
        toCommit.add(committed - reply.begunNanos());
        toAcknowledged.add(reply.nanos() - committed);
        whole.add(reply.nanos() - reply.begunNanos());
    }

    Times toCommit() {
        return toCommit;
    }

    Times toAcknowledged() {
        return toAcknowledged;
    }

    void putTo(ObjectNode figures) {
        toAcknowledged.putTo(figures, "commitToAllAcknowledged");
        toCommit.putTo(figures, "requestToCommit");
        whole.putTo(figures, "requestToAnswer");
    }
}

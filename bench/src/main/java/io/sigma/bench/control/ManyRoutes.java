package io.sigma.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.bench.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;

/**
 * A control plane with a heap of 1 GiB and 100,000 routes: pages of a list, alone and beside writes; the full state for
 * a gateway that has nothing; and changes that a hundred gateways acknowledge, whose process holds none of their data
 * planes.
 */
final class ManyRoutes implements Scenario {

    private static final int ROUTES = 100_000;
    private static final int GATEWAYS = 100;
    private static final int STARTS = 3;
    private static final int WARM_UP = 100;
    private static final int PAGES = 1_000;
    private static final int WRITE_PAUSE_MILLIS = 50;

    @Override
    public void run(Effort effort, ObjectNode figures) throws Exception {
        try (Site site = Site.start()) {
            Site.ControlPlane controlPlane = site.controlPlane("SIGMA_JAVA_OPTS", "-Xmx1g");
            site.fill(controlPlane, ROUTES);
            AdminClient admin = controlPlane.admin();
            pages(admin, "");
            pages(admin, "").putTo(figures, "listPage");
            pages(admin, "&name=service%20" + State.ROUTES_A_HOST / 2).putTo(figures, "listPageByCommonName");
            named(admin).putTo(figures, "listPageByRareName");
            besideWrites(site, admin).putTo(figures, "listPageBesideWrites");
            List<Site.TimeToServe> starts = new ArrayList<>();
            for (int i = 0; i < STARTS; i++) {
                starts.add(site.timeToServe(controlPlane));
            }
            // For the first one the control plane writes the state, with code that is not compiled yet.
            putTo(figures, "fullStateMillis", starts, Site.TimeToServe::fromConnection);
            putTo(figures, "newGatewayMillis", starts, Site.TimeToServe::fromStart);
            figures.put("controlPlaneHeapMaxMiB", 1024);
            figures.put(
                    "controlPlaneHeapUsedMiB",
                    Heap.usedMiB(controlPlane.process().pid()));
            site.gateways(controlPlane, "simulated", GATEWAYS);
            int round = 0;
            Writes warm = new Writes(site, ROUTES, GATEWAYS);
            while (round < WARM_UP) {
                warm.write(admin, round++);
            }
            Writes writes = new Writes(site, ROUTES, GATEWAYS);
            for (int i = 0; i < effort.rounds(); i++) {
                writes.write(admin, round++);
            }
            writes.putTo(figures);
        }
    }

    private static void putTo(
            ObjectNode figures, String name, List<Site.TimeToServe> starts, ToDoubleFunction<Site.TimeToServe> time) {
        double[] times = starts.stream().mapToDouble(time).toArray();
        figures.put(name, Figures.median(times)).put(name + "First", times[0]);
    }

    /** Walks through all pages, or the first thousand. */
    private static Times pages(AdminClient admin, String filter) throws Exception {
        Times times = new Times();
        String cursor = "";
        for (int page = 0; page < PAGES; page++) {
            AdminClient.Reply reply = admin.get("/routes?limit=100" + filter + cursor);
            times.add(reply.nanos() - reply.begunNanos());
            JsonNode next = reply.json().path("nextCursor");
            cursor = next.isTextual() ? "&cursor=" + next.asText() : "";
        }
        return times;
    }

    /** Looks for routes of which there is one each. */
    private static Times named(AdminClient admin) throws Exception {
        Times times = new Times();
        for (int page = 0; page < PAGES / 5; page++) {
            AdminClient.Reply reply = admin.get("/routes?limit=100&name=" + State.route(ROUTES - 1 - page * 7));
            times.add(reply.nanos() - reply.begunNanos());
        }
        return times;
    }

    private static Times besideWrites(Site site, AdminClient admin) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().start(() -> {
            for (int i = 0; !done.get(); i++) {
                try {
                    long number = admin.send("PATCH", "/routes/" + State.route(i), State.patch(i, i))
                            .ok()
                            .json()
                            .at("/revision/number")
                            .asLong();
                    site.commits().forget(number);
                    Thread.sleep(WRITE_PAUSE_MILLIS);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        Times times = pages(admin, "");
        done.set(true);
        writer.join();
        return times;
    }
}

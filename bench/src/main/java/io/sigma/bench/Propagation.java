package io.sigma.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.e2e.Admin;
import io.sigma.e2e.Plant;
import io.sigma.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Measures the time of a change of one route among many, from the request until both gateways have acknowledged it.
 * Starts PostgreSQL, two control planes and two gateways as processes.
 *
 * <p>Arguments: the number of routes (10000) and of rounds (20).
 */
public final class Propagation {

    private static final int BATCH = 1_000;

    private Propagation() {}

    /** Prints one JSON object with the figures, in milliseconds. */
    public static void main(String[] arguments) throws Exception {
        int routes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        Path folder = Files.createTempDirectory("sigma-bench-");
        try (Plant plant = Plant.start(folder)) {
            Admin admin = plant.admin();
            long started = System.nanoTime();
            fill(admin, routes);
            plant.awaitConverged();
            double filledMillis = millisSince(started);
            double[] millis = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                millis[i] = changeOne(admin, i * (routes / rounds), i);
            }
            ObjectNode figures = Json.mapper().createObjectNode();
            figures.put("benchmark", "propagation");
            figures.put("routes", routes);
            figures.put("gateways", plant.gateways().size());
            figures.put("rounds", rounds);
            figures.put("fillMillis", Math.round(filledMillis));
            figures.put("medianMillis", Figures.median(millis));
            figures.put("p95Millis", Figures.quantile(millis, 0.95));
            figures.put("maxMillis", Figures.quantile(millis, 1));
            System.out.println(Json.text(figures));
        }
    }

    private static void fill(Admin admin, int routes) {
        admin.put("/upstreams/node", "{\"nodes\":[{\"url\":\"http://127.0.0.1:9\"}]}");
        for (int from = 0; from < routes; from += BATCH) {
            ObjectNode file = Json.mapper().createObjectNode();
            file.putObject("proxy-server").putObject("http").put("id", "web").put("port", 18_080);
            file.putArray("upstream")
                    .addObject()
                    .put("id", "node")
                    .putArray("nodes")
                    .add("http://127.0.0.1:9");
            file.putArray("proxy-pass").addObject().put("id", "to-node").put("upstream-id", "node");
            ObjectNode router = file.putArray("router").addObject();
            router.put("id", "router-" + from / BATCH).put("enable", true).put("proxy-server-id", "web");
            ArrayNode list = router.putArray("route");
            for (int i = from; i < Math.min(from + BATCH, routes); i++) {
                list.addObject()
                        .put("id", "route-" + i)
                        .put("enable", true)
                        .put("path", "/service-" + i + "/*")
                        .put("proxy-pass-id", "to-node");
            }
            admin.post("/import/sigma-json", Json.text(file));
        }
    }

    private static double changeOne(Admin admin, int route, int round) {
        long started = System.nanoTime();
        JsonNode result = admin.patch(
                "/routes/route-" + route + "?wait=all&timeout=30s",
                "{\"path\":\"/changed-" + round + "-" + route + "/*\"}");
        double millis = millisSince(started);
        if (!result.at("/revision/complete").asBoolean()
                || result.at("/revision/gateways").size() != 2) {
            throw new IllegalStateException("not acknowledged by two gateways: " + result);
        }
        return millis;
    }

    private static double millisSince(long startedNanos) {
        return (System.nanoTime() - startedNanos) / 1e6;
    }
}

package io.sigma.bench.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measures the control plane and prints one JSON object.
 *
 * <p>Arguments: how many writes are measured one after the other, how many seconds of traffic, the load program, and
 * the scenarios ({@code ten-gateways}, {@code many-routes}, {@code under-traffic}; all when none is named).
 */
public final class ControlBench {

    private ControlBench() {}

    public static void main(String[] arguments) throws Exception {
        Scenario.Effort effort = new Scenario.Effort(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        scenarios.put("ten-gateways", new TenGateways());
        scenarios.put("many-routes", new ManyRoutes());
        scenarios.put("under-traffic", new UnderTraffic(Path.of(arguments[2])));
        if (arguments.length > 3) {
            for (int i = 3; i < arguments.length; i++) {
                if (!scenarios.containsKey(arguments[i])) {
                    throw new IllegalArgumentException(
                            "scenario \"" + arguments[i] + "\" (expected: one of " + scenarios.keySet() + ")");
                }
            }
            scenarios.keySet().retainAll(java.util.List.of(arguments).subList(3, arguments.length));
        }
        ObjectNode result = Json.mapper().createObjectNode();
        result.putObject("effort").put("rounds", effort.rounds()).put("trafficSeconds", effort.seconds());
        for (Map.Entry<String, Scenario> scenario : scenarios.entrySet()) {
            System.err.println(scenario.getKey());
            scenario.getValue().run(effort, result.putObject(scenario.getKey()));
            System.err.println("  " + Json.text(result.path(scenario.getKey())));
        }
        System.out.println(Json.text(result));
        // Clients and buses that nobody closes have threads of their own.
        Runtime.getRuntime().halt(0);
    }
}

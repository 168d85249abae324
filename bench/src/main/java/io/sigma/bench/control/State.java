package io.sigma.bench.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;

/** A configuration of many routes: a hundred on each host, each host with an upstream and a proxy pass of its own. */
final class State {

    static final int ROUTES_A_HOST = 100;

    private State() {}

    static String host(int number) {
        return "h" + number + ".example.com";
    }

    static String route(int number) {
        return "route-" + number;
    }

    /** Returns what is to be declared. */
    static String of(int routes, int proxyServerPort, int nodePort) {
        ObjectNode state = Json.mapper().createObjectNode();
        state.putArray("proxyServers")
                .addObject()
                .put("id", "web")
                .put("port", proxyServerPort)
                .put("host", "0.0.0.0");
        ArrayNode upstreams = state.putArray("upstreams");
        ArrayNode passes = state.putArray("proxyPasses");
        ArrayNode routers = state.putArray("routers");
        ArrayNode list = state.putArray("routes");
        for (int h = 0; h < routes / ROUTES_A_HOST; h++) {
            upstreams
                    .addObject()
                    .put("id", "nodes-" + h)
                    .putArray("nodes")
                    .addObject()
                    .put("url", "http://127.0.0.1:" + nodePort);
            passes.addObject().put("id", "to-nodes-" + h).put("upstreamId", "nodes-" + h);
            routers.addObject()
                    .put("id", "router-" + h)
                    .put("proxyServerId", "web")
                    .putArray("hosts")
                    .add(host(h));
            for (int r = 0; r < ROUTES_A_HOST; r++) {
                list.addObject()
                        .put("id", route(h * ROUTES_A_HOST + r))
                        .put("name", "Service " + r + " of host " + h)
                        .put("routerId", "router-" + h)
                        .put("path", "/r" + r + "/*")
                        .put("proxyPassId", "to-nodes-" + h);
            }
        }
        return Json.text(state);
    }

    /** Returns a change of a route, as a merge patch: another one in each {@code round}. */
    static String patch(int route, long round) {
        return "{\"path\":\"/r" + route % ROUTES_A_HOST + "/v" + round + "/*\"}";
    }
}

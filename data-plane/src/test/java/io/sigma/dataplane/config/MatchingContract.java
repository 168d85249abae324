package io.sigma.dataplane.config;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A gateway whose routes answer with their own names. */
abstract class MatchingContract extends EngineContract {

    final List<TestNode> nodes = new ArrayList<>();

    @AfterEach
    void stopNodes() {
        nodes.forEach(TestNode::close);
    }

    Config config() {
        return new Config().server("web", port()).router("all", "web");
    }

    Config with(Config config, String id, Route.Builder route) {
        return with(config, id, "all", route);
    }

    Config with(Config config, String id, String router, Route.Builder route) {
        TestNode node = TestNode.named(id);
        nodes.add(node);
        return config.route(route.id(id).routerId(router).proxyPassId(id).build())
                .pass(id, id)
                .upstream(id, node.url());
    }

    static Route.Builder path(String path) {
        return Route.builder().path(path);
    }

    static RouteCondition is(String name, String value) {
        return RouteCondition.builder().name(name).value(value).build();
    }

    /** Returns the body, which is the name of the route, or the status when it is not 200. */
    String taken(String target, String... lines) throws Exception {
        return takenBy("GET", "a", target, lines);
    }

    String takenBy(String method, String host, String target, String... lines) throws Exception {
        String fields = lines.length == 0 ? "" : String.join("\r\n", lines) + "\r\n";
        RawClient.Answer answer =
                exchange(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n");
        return answer.status() == 200 ? answer.text() : String.valueOf(answer.status());
    }
}

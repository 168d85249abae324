package io.sigma.dataplane.upstream.health;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Nodes that fail when a test says so, and who of them answers. */
abstract class HealthContract extends EngineContract {

    Config with(Upstream.Builder settings, String... urls) {
        Upstream wanted = settings.id("nodes").nodes(List.of()).build();
        return forwarding(urls)
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> wanted.toBuilder().nodes(upstream.nodes()).build());
    }

    /** A node that answers with its name, and on /health as {@code healthy} says. */
    static TestNode node(String name, AtomicBoolean healthy) {
        return TestNode.start((request, connection) -> {
            if (!request.target().startsWith("/health")) {
                connection.ok(name);
            } else if (healthy.get()) {
                connection.ok("all is well");
            } else {
                connection.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");
            }
        });
    }

    Set<String> answers() throws Exception {
        Set<String> answers = new HashSet<>();
        for (int i = 0; i < 6; i++) {
            RawClient.Answer answer = get("/");
            answers.add(answer.status() == 200 ? answer.text() : String.valueOf(answer.status()));
        }
        return answers;
    }

    void eventuallyAnswers(String... names) {
        eventually(() -> {
            try {
                return answers().equals(Set.of(names));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    String metrics() {
        try {
            return RawClient.get(gateway().gateway().telemetryPort(), "localhost", "/metrics")
                    .text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

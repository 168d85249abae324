package io.sigma.dataplane.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.NodeState;
import io.sigma.snapshot.HealthReport;
import io.sigma.snapshot.NodeReport;
import io.vertx.core.Future;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HealthReporterTest {

    private final List<Object> said = new ArrayList<>();
    private long version = 1;
    private boolean refused;

    private final ControlLink link = (ControlLink) Proxy.newProxyInstance(
            ControlLink.class.getClassLoader(), new Class<?>[] {ControlLink.class}, (self, method, arguments) -> {
                if (refused) {
                    return Future.failedFuture("on purpose");
                }
                said.add(arguments[1]);
                return Future.succeededFuture();
            });

    @Test
    void nodesAreToldAfterATimeThatTheyCouldNotBeLookedAt() {
        int[] looks = {0};
        HealthReporter reporter = new HealthReporter(link, "g", new NodeReports() {
            @Override
            public long version() {
                return 1;
            }

            @Override
            public List<NodeReport> all() {
                if (looks[0]++ == 0) {
                    throw new IllegalStateException("on purpose");
                }
                return List.of();
            }
        });
        try {
            reporter.tick();
        } catch (IllegalStateException e) {
            // Whoever calls it now and then is not harmed.
        }
        reporter.tick();
        assertThat(looks[0]).isEqualTo(2);
    }

    @Test
    void nodesThatAreGoneAreToldOnce() {
        NodeReport a = new NodeReport("shop", "http://10.0.0.1:80", NodeState.HEALTHY, Instant.EPOCH, "", List.of());
        NodeReport b = new NodeReport("shop", "http://10.0.0.2:80", NodeState.HEALTHY, Instant.EPOCH, "", List.of());
        List<NodeReport> nodes = new ArrayList<>(List.of(a, b));
        HealthReporter reporter = new HealthReporter(link, "g", new NodeReports() {
            @Override
            public long version() {
                return version;
            }

            @Override
            public List<NodeReport> all() {
                return nodes;
            }
        });
        reporter.tick();
        nodes.remove(a);
        version++;
        refused = true;
        reporter.tick();
        refused = false;
        said.clear();
        // What was not heard is said again.
        reporter.tick();
        assertThat(said)
                .containsExactly(new HealthReport(
                        "g", false, List.of(), List.of(new HealthReport.Gone("shop", "http://10.0.0.1:80"))));
        version++;
        reporter.tick();
        assertThat(said).hasSize(1);
    }
}

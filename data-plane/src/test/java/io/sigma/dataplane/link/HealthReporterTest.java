package io.sigma.dataplane.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.snapshot.NodeReport;
import io.vertx.core.Future;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HealthReporterTest {

    private final List<String> asked = new ArrayList<>();

    private final ControlLink link = (ControlLink) Proxy.newProxyInstance(
            ControlLink.class.getClassLoader(), new Class<?>[] {ControlLink.class}, (self, method, arguments) -> {
                asked.add(method.getName());
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
}
